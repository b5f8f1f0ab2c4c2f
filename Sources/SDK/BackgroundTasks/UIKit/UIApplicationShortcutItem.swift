import Foundation

/// An item that a long press on an app's icon would offer; there is no icon here.
///
/// Apple: UIKit, `UIApplicationShortcutItem`.
open class UIApplicationShortcutItem: NSObject {
    /// The app's own name of the item.
    public let type: String
    /// The title.
    public let localizedTitle: String
    /// The line beneath the title.
    public let localizedSubtitle: String?
    /// The picture.
    public let icon: UIApplicationShortcutIcon?
    /// The app's own data.
    public let userInfo: [String: any NSSecureCoding]?

    /// Makes an item of all its parts.
    public init(
        type: String, localizedTitle: String, localizedSubtitle: String?, icon: UIApplicationShortcutIcon?,
        userInfo: [String: any NSSecureCoding]? = nil
    ) {
        self.type = type
        self.localizedTitle = localizedTitle
        self.localizedSubtitle = localizedSubtitle
        self.icon = icon
        self.userInfo = userInfo
        super.init()
    }

    /// Makes an item of a title alone.
    public convenience init(type: String, localizedTitle: String) {
        self.init(type: type, localizedTitle: localizedTitle, localizedSubtitle: nil, icon: nil)
    }
}

/// The picture of a shortcut; never drawn.
///
/// Apple: UIKit, `UIApplicationShortcutIcon`.
open class UIApplicationShortcutIcon: NSObject {
    /// One of the system's pictures.
    public convenience init(systemImageName: String) { self.init() }

    /// One of the app's pictures.
    public convenience init(templateImageName: String) { self.init() }

    /// Makes a picture that nobody sees.
    public override init() { super.init() }
}
