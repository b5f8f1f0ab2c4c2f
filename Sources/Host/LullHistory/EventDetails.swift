import LullModel

/// The fields that have no column in `events`, packed: the number of a field, then its value, and so on. A field without a
/// value is left out.
enum EventDetails {
    private static let packed = EventField.all.filter { $0.number != nil }
    private static let byNumber = Dictionary(
        uniqueKeysWithValues: packed.map { ($0.number ?? 0, $0) })

    /// - Parameters:
    ///   - name: maps a text that may repeat to its number, or to itself.
    static func pack(_ event: HistoryEvent, name: (String) throws -> Name) throws -> [UInt8] {
        var packer = Packer()
        for field in packed {
            guard let number = field.number else { continue }
            switch field.form {
            case .time(let path):
                guard let time = event[keyPath: path] else { continue }
                packer.put(number)
                packer.put(signed: time.milliseconds &- event.time.milliseconds)
            case .json(let read, _):
                guard let value = read(event) else { continue }
                packer.put(number)
                var writer = JSONPacker(packer: packer, time: event.time, isPrivate: field.isPrivate)
                try writer.put(value, name)
                packer = writer.packer
            }
        }
        return packer.bytes
    }

    /// Fills the event with packed details; throws if `pack` can't have written them.
    static func unpack(
        _ bytes: [UInt8], into event: inout HistoryEvent, text: (Int64) throws -> String?
    ) throws {
        var reader = JSONUnpacker(unpacker: Unpacker(bytes), time: event.time)
        while !reader.unpacker.isAtEnd {
            guard let field = byNumber[try reader.unpacker.number()] else { throw Unpacker.Damage() }
            switch field.form {
            case .time(let path): event[keyPath: path] = try reader.moment()
            case .json(_, let write):
                guard write(try reader.value(text), &event) else { throw Unpacker.Damage() }
            }
        }
    }
}
