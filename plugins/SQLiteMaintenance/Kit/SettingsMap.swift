import Foundation

/// One map of the settings' JSON, which knows its place for messages.
struct SettingsMap {
    private var place: String
    private var values: [String: Value]

    init(json: String) throws(MaintenanceError) {
        guard case .map(let values)? = try? JSONDecoder().decode(Value.self, from: Data(json.utf8)) else {
            throw .settings("they are not a map of keys to values.")
        }
        place = ""
        self.values = values
    }

    private init(place: String, values: [String: Value]) {
        self.place = place
        self.values = values
    }

    func refusal(_ finding: String) -> MaintenanceError {
        .settings((place.isEmpty ? "" : place + ": ") + finding + ".")
    }

    func allow(_ keys: String...) throws(MaintenanceError) {
        guard let stray = values.keys.sorted().first(where: { !keys.contains($0) }) else { return }
        let known = keys.filter { $0 != "lull" }.map { "\"\($0)\"" }.joined(separator: ", ")
        throw refusal("unknown key \"\(stray)\". Known are \(known)")
    }

    func text(_ key: String) throws(MaintenanceError) -> String? {
        switch values[key] {
        case nil: return nil
        case .text(let text) where !text.isEmpty: return text
        default: throw refusal("\"\(key)\" is not a text with something in it")
        }
    }

    func texts(_ key: String) throws(MaintenanceError) -> [String]? {
        guard let value = values[key] else { return nil }
        guard case .list(let list) = value else { throw refusal("\"\(key)\" is not a list") }
        var texts: [String] = []
        for item in list {
            guard case .text(let text) = item else { throw refusal("\"\(key)\" holds more than texts") }
            texts.append(text)
        }
        return texts
    }

    func integer(_ key: String, in range: ClosedRange<Int>) throws(MaintenanceError) -> Int? {
        guard let value = values[key] else { return nil }
        guard case .integer(let number) = value, range.contains(number) else {
            throw refusal("\"\(key)\" is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func flag(_ key: String) throws(MaintenanceError) -> Bool? {
        guard let value = values[key] else { return nil }
        guard case .flag(let flag) = value else { throw refusal("\"\(key)\" is neither true nor false") }
        return flag
    }

    func vacuum(_ key: String) throws(MaintenanceError) -> MaintenanceSettings.Vacuum? {
        switch values[key] {
        case nil: return nil
        case .flag(true): return .always
        case .flag(false): return .never
        case .text("auto"): return .auto
        default: throw refusal("\"\(key)\" is none of true, false and auto")
        }
    }

    func map(_ key: String) throws(MaintenanceError) -> SettingsMap? {
        guard let value = values[key] else { return nil }
        guard case .map(let inner) = value else { throw refusal("\"\(key)\" is not a map") }
        return SettingsMap(place: inside(key), values: inner)
    }

    func maps(_ key: String) throws(MaintenanceError) -> [SettingsMap]? {
        guard let value = values[key] else { return nil }
        guard case .list(let list) = value else { throw refusal("\"\(key)\" is not a list") }
        var maps: [SettingsMap] = []
        for (index, item) in list.enumerated() {
            guard case .map(let inner) = item else { throw refusal("\"\(key)/\(index)\" is not a map") }
            maps.append(SettingsMap(place: inside("\(key)/\(index)"), values: inner))
        }
        return maps
    }

    private func inside(_ key: String) -> String {
        place.isEmpty ? key : place + "/" + key
    }

    private indirect enum Value: Decodable {
        case flag(Bool)
        case integer(Int)
        case text(String)
        case list([Value])
        case map([String: Value])
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let integer = try? container.decode(Int.self) {
                self = .integer(integer)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let list = try? container.decode([Value].self) {
                self = .list(list)
            } else if let map = try? container.decode([String: Value].self) {
                self = .map(map)
            } else {
                self = .other
            }
        }
    }
}
