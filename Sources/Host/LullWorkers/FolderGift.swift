private import CLullShims
internal import Glibc

/// Gives an app's folder, with what this process has in it, to the user whom the app runs as from now on.
public enum FolderGift {
    /// Nil: it is that user's now; else why not. What others own, or has a second name, stays whose it is.
    public static func give(_ folder: Int32, to user: UInt32, group: UInt32) -> String? {
        let fault = lull_give_folder(folder, geteuid(), user, group)
        return fault == 0 ? nil : String(cString: strerror(fault))
    }
}
