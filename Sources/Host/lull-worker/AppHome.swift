import Glibc

/// The app's home: its state folder, as on iOS an app's home is its own container.
///
/// Foundation keeps `UserDefaults`, documents, caches and application support beneath the home, and finds that by these
/// variables: they are set before a plugin, and with it Foundation, is loaded. The home of the app's user stays known
/// as `LULL_USER_HOME`, for plugins that start programs in that user's name.
enum AppHome {
    private static let elsewhere = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"]

    static func adopt(_ folder: String) {
        if let home = getenv("HOME") { setenv("LULL_USER_HOME", home, 1) }
        setenv("HOME", folder, 1)
        // Foundation would otherwise ask for the user's home by name.
        setenv("CFFIXED_USER_HOME", folder, 1)
        for name in elsewhere { unsetenv(name) }
    }
}
