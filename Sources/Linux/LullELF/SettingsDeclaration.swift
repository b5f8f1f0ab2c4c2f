private import Glibc

/// A plugin's declaration of its settings: a text in its file, found without running any of it.
///
/// Any constant text of the file counts that begins `{ "lull_settings":` and ends with a NUL, whatever language and
/// linker put it there: compilers keep a text together, but few let a library name the place of one. The text itself is
/// not judged here.
public enum SettingsDeclaration: Sendable, Equatable {
    case none
    case declared(String)
    /// Longer than `limit`, or without an end.
    case tooLong
    /// Several that differ.
    case several

    public static let limit = 64 << 10
    static let marker = Array("\"lull_settings\"".utf8)

    public init(of file: FileBytes) throws(PluginFault) { try self.init(file) }

    init(_ source: any ByteSource, machine: Machine = .own) throws(PluginFault) {
        let file = try ELFFile(source, machine: machine)
        var found: Set<String> = []
        for segment in file.segments {
            for place in Self.places(in: segment, of: source) {
                switch Self.text(at: place, in: segment, of: source) {
                case .none: continue
                case .declared(let text): found.insert(text)
                case .tooLong, .several:
                    self = .tooLong
                    return
                }
                guard found.count < 2 else {
                    self = .several
                    return
                }
            }
        }
        self = found.first.map(Self.declared) ?? .none
    }

    private static let piece = 1 << 20
    /// No file needs more, and one that repeats it does not make the search endless.
    private static let mostPlaces = 64

    /// Where the marker is, as offsets in the file.
    private static func places(in segment: ELFFile.Segment, of source: any ByteSource) -> [UInt64] {
        var places: [UInt64] = []
        var done: UInt64 = 0
        while done < segment.fileSize, places.count < mostPlaces {
            // The end of a piece is looked at again: a marker may lie across it.
            let count = Int(min(UInt64(piece + marker.count - 1), segment.fileSize - done))
            guard let bytes = source.bytes(at: segment.offset + done, count: count) else { break }
            places += offsets(of: marker, in: bytes).map { segment.offset + done + UInt64($0) }
            done += UInt64(piece)
        }
        return places
    }

    private static func offsets(of marker: [UInt8], in bytes: [UInt8]) -> [Int] {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return [] }
            var offsets: [Int] = []
            var from = 0
            while offsets.count < mostPlaces, bytes.count - from >= marker.count,
                let hit = memchr(start + from, Int32(marker[0]), bytes.count - from - marker.count + 1)
            {
                if memcmp(hit, marker, marker.count) == 0 { offsets.append(UnsafeRawPointer(hit) - start) }
                from = UnsafeRawPointer(hit) - start + 1
            }
            return offsets
        }
    }

    /// The text around the marker; none where it is not the first key of an object.
    private static func text(at place: UInt64, in segment: ELFFile.Segment, of source: any ByteSource) -> Self
    {
        let before = Int(min(64, place - segment.offset))
        guard let lead = source.bytes(at: place - UInt64(before), count: before),
            let brace = lead.lastIndex(where: { !isSpace($0) }), lead[brace] == UInt8(ascii: "{")
        else { return .none }
        let start = place - UInt64(before - brace)
        let room = Int(min(UInt64(limit + 1), segment.offset + segment.fileSize - start))
        guard let bytes = source.bytes(at: start, count: room) else { return .none }
        let key = before - brace + marker.count
        guard let colon = bytes.dropFirst(key).first(where: { !isSpace($0) }), colon == UInt8(ascii: ":")
        else {
            return .none
        }
        guard let end = bytes.firstIndex(of: 0) else { return .tooLong }
        return .declared(String(decoding: bytes[..<end], as: UTF8.self))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }
}
