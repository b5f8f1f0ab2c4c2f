private import CLullShims
internal import Glibc

/// Gives an app's folder, with its owner's files in it, to the user that the app runs as from now on.
public enum FolderGift {
    /// Nil: it is that user's now; else why not. Files that others own, or that have a second name, keep their owner.
    public static func give(
        _ folder: Int32, from owner: UInt32, to user: UInt32, group: UInt32
    ) -> String? {
        let fault = lull_give_folder(folder, owner, user, group)
        return fault == 0 ? nil : String(cString: strerror(fault))
    }
}
