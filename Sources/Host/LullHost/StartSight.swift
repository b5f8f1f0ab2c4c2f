import Glibc
import LullManifest
public import LullModel
public import LullWorkers

/// What a host looks up before it starts an app's worker, which may hang: the plugin, and names.
///
/// Looked up on a thread of its own, which changes nothing: the result may come too late to be used.
public struct StartSight: Sendable {
    /// The user that the app runs as; nil: the host's own, or an unknown one.
    public var user: Accounts.User?
    /// Whether `user` is an account of the app's own.
    public var isOwnAccount: Bool
    /// The names of the folder's owner and of the app's user, if the folder has a strange owner.
    public var names: [UInt32: String]
    public var plugin: Result<FileIdentity, PluginSight.Refusal>
    /// The files that the worker will map.
    public var files: PluginFiles

    public init(
        user: Accounts.User? = nil, isOwnAccount: Bool = false, names: [UInt32: String] = [:],
        plugin: Result<FileIdentity, PluginSight.Refusal>, files: PluginFiles = PluginFiles()
    ) {
        self.user = user
        self.isOwnAccount = isOwnAccount
        self.names = names
        self.plugin = plugin
        self.files = files
    }

    /// `folder`: the app's own, where it is there already.
    public static func look(at app: App, folder: String) -> StartSight {
        let isOwn = geteuid() == 0 && app.hasOwnAccount
        let user =
            isOwn
            ? AppAccount.ofThisMachine?.user(of: folder) : app.namedUser.flatMap(Accounts.user(named:))
        return StartSight(
            user: user, isOwnAccount: isOwn, names: names(folder, user?.number ?? geteuid()),
            plugin: Result { () throws(PluginSight.Refusal) in try PluginSight.look(at: app) },
            files: PluginFiles(of: app))
    }

    /// Why an app can't be started whose user is unknown at this time; nil: the user is known.
    func absence(for app: App) -> String? {
        guard let name = app.namedUser, !isOwnAccount, user == nil else { return nil }
        return
            "the app runs as '\(name)', an account that this machine does not know at the moment; `getent passwd \(name)` "
            + "shows when it does. If there is none, make it with `useradd --system \(name)`, or write another after `user:`"
    }

    private static func names(_ folder: String, _ user: uid_t) -> [UInt32: String] {
        var status = stat()
        guard lstat(folder, &status) == 0,
            StateFolder.isStrange(owner: status.st_uid, host: geteuid(), for: user)
        else { return [:] }
        var names: [UInt32: String] = [:]
        for number in [status.st_uid, user] { names[number] = Accounts.user(number)?.name }
        return names
    }

    /// Why an app can't be started when the look takes too long.
    static func lateness(of app: App, limit: Duration) -> String {
        let user = app.namedUser.map { "its user '\($0)' and " } ?? ""
        let ask = app.namedUser.map { "`getent passwd \($0)` and " } ?? ""
        return
            "\(user)its plugin could not be looked up within \(limit.components.seconds) s: "
            + "a name service or a disk of this machine does not answer. Check that \(ask)`ls -l \(app.plugin)` do"
    }
}
