import Foundation

/// What a long press on an app's icon would offer; nobody presses one here.
///
/// Apple: UIKit, `UIApplicationShortcutItem`.
open class UIApplicationShortcutItem: NSObject {
    /// What the app knows it by.
    public let type: String
    /// What would be read.
    public let localizedTitle: String
    /// What would be read beneath.
    public let localizedSubtitle: String?
    /// What would be seen.
    public let icon: UIApplicationShortcutIcon?
    /// The app's own.
    public let userInfo: [String: any NSSecureCoding]?

    /// Makes one of all its parts.
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

    /// Makes one of a title alone.
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
