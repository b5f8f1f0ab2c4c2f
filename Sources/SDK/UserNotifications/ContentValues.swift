import Foundation

/// The values of a notification's content. Those that the host does not read are packed into one text.
struct ContentValues {
    var title = ""
    var subtitle = ""
    var body = ""
    var badge: Int64?
    var sound: String?
    var userInfo: [AnyHashable: Any] = [:]
    var attachments: [UNNotificationAttachment] = []
    var thread = ""
    var category = ""
    var launchImage = ""
    var target: String?
    var level = UNNotificationInterruptionLevel.active
    var relevance = 0.0
    var filter: String?

    /// The values that the host keeps for the app without reading them.
    private struct Details: Codable {
        struct Attachment: Codable {
            var id: String
            var url: URL
            var type: String
        }
        var sound: String?
        var userInfo: Data?
        var attachments: [Attachment]?
        var thread: String?
        var category: String?
        var launchImage: String?
        var target: String?
        var relevance: Double?
        var filter: String?
    }

    /// The packed values; empty if there are none.
    ///
    /// - Throws: ``LullNotificationError`` if `userInfo` does not fit into a property list.
    func details() throws -> String {
        var details = Details(sound: sound, target: target, filter: filter)
        if !userInfo.isEmpty {
            guard PropertyListSerialization.propertyList(userInfo, isValidFor: .binary),
                let data = try? PropertyListSerialization.data(
                    fromPropertyList: userInfo, format: .binary, options: 0)
            else {
                throw LullNotificationError(
                    "The userInfo of a notification has a value that a property list can't have. Use texts, numbers, dates, data, lists and "
                        + "dictionaries with texts as keys."
                )
            }
            details.userInfo = data
        }
        if !attachments.isEmpty {
            details.attachments = attachments.map { .init(id: $0.identifier, url: $0.url, type: $0.type) }
        }
        details.thread = thread.isEmpty ? nil : thread
        details.category = category.isEmpty ? nil : category
        details.launchImage = launchImage.isEmpty ? nil : launchImage
        details.relevance = relevance == 0 ? nil : relevance
        let data = try JSONEncoder().encode(details)
        return data.count == 2 ? "" : String(decoding: data, as: UTF8.self)
    }

    /// Restores the values that `details` packed; ignores a text of any other form.
    mutating func take(details text: String) {
        guard let details = try? JSONDecoder().decode(Details.self, from: Data(text.utf8)) else { return }
        sound = details.sound
        if let data = details.userInfo,
            let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil),
            let members = list as? [String: Any]
        {
            userInfo = Dictionary(uniqueKeysWithValues: members.map { (AnyHashable($0.key), $0.value) })
        }
        attachments = (details.attachments ?? []).map {
            UNNotificationAttachment(identifier: $0.id, url: $0.url, type: $0.type)
        }
        thread = details.thread ?? ""
        category = details.category ?? ""
        launchImage = details.launchImage ?? ""
        target = details.target
        relevance = details.relevance ?? 0
        filter = details.filter
    }
}
