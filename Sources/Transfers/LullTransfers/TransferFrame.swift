public import LullModel

/// A frame from the host to `lull-transfer`: one datagram, of a byte for its kind and packed values.
///
/// Both sides come from one build. Decoding never traps: bytes that mean nothing are nil.
public enum TransferFrame: Sendable, Equatable {
    /// The first frame: the user that the process becomes; nil: the host's. The folders follow, and then `confine`.
    case user(TransferUser?)
    /// A folder that it may write in, made if it is missing.
    case folder(String)
    /// There is no other folder: the process permanently drops access to all else.
    case confine
    case begin(TransferStart)
    /// Stops a transfer, of which no news come from then on. Unless `keepsPart`, its files are removed.
    case stop(TransferID, keepsPart: Bool)
    /// Removes the files of a transfer that is over, and the file that it uploaded.
    case remove(folder: String, stem: UInt64, upload: String?)
    /// Asks for a sign of life.
    case ask

    private enum Code: UInt8 { case user = 1, folder, confine, begin, stop, remove, ask }

    private struct Stop: Codable {
        let id: TransferID
        let keepsPart: Bool
    }
    private struct Removal: Codable {
        let folder: String
        let stem: UInt64
        let upload: String?
    }

    /// Nil when it is larger than a frame may be.
    public func encoded() -> [UInt8]? {
        switch self {
        case .user(let user): FrameBytes.encode(Code.user.rawValue, [user].compactMap { $0 })
        case .folder(let path): FrameBytes.encode(Code.folder.rawValue, path)
        case .confine: [Code.confine.rawValue]
        case .begin(let start): FrameBytes.encode(Code.begin.rawValue, start)
        case .stop(let id, let keepsPart):
            FrameBytes.encode(Code.stop.rawValue, Stop(id: id, keepsPart: keepsPart))
        case .remove(let folder, let stem, let upload):
            FrameBytes.encode(Code.remove.rawValue, Removal(folder: folder, stem: stem, upload: upload))
        case .ask: [Code.ask.rawValue]
        }
    }

    public init?(_ bytes: ArraySlice<UInt8>) {
        switch bytes.first.flatMap(Code.init) {
        case .user:
            guard let users = FrameBytes.decode([TransferUser].self, bytes) else { return nil }
            self = .user(users.first)
        case .folder:
            guard let path = FrameBytes.decode(String.self, bytes) else { return nil }
            self = .folder(path)
        case .confine:
            guard bytes.count == 1 else { return nil }
            self = .confine
        case .begin:
            guard let start = FrameBytes.decode(TransferStart.self, bytes) else { return nil }
            self = .begin(start)
        case .stop:
            guard let stop = FrameBytes.decode(Stop.self, bytes) else { return nil }
            self = .stop(stop.id, keepsPart: stop.keepsPart)
        case .remove:
            guard let removal = FrameBytes.decode(Removal.self, bytes) else { return nil }
            self = .remove(folder: removal.folder, stem: removal.stem, upload: removal.upload)
        case .ask:
            guard bytes.count == 1 else { return nil }
            self = .ask
        case nil: return nil
        }
    }
}

/// A frame from `lull-transfer` to the host.
public enum ProcessFrame: Sendable, Equatable {
    /// It is confined, and takes orders.
    case hello(version: Int)
    case news(TransferID, attempt: UInt64, TransferNews)
    /// The earliest removal that it had not confirmed yet is done.
    case removed
    /// The answer to `ask`.
    case alive

    /// Changes with any frame.
    public static let version = 4

    private enum Code: UInt8 { case hello = 1, news, removed, alive }

    private struct News: Codable {
        let id: TransferID
        let attempt: UInt64
        let news: TransferNews
    }

    /// Nil when it is larger than a frame may be.
    public func encoded() -> [UInt8]? {
        switch self {
        case .hello(let version): FrameBytes.encode(Code.hello.rawValue, version)
        case .news(let id, let attempt, let news):
            FrameBytes.encode(Code.news.rawValue, News(id: id, attempt: attempt, news: news))
        case .removed: [Code.removed.rawValue]
        case .alive: [Code.alive.rawValue]
        }
    }

    public init?(_ bytes: ArraySlice<UInt8>) {
        switch bytes.first.flatMap(Code.init) {
        case .hello:
            guard let version = FrameBytes.decode(Int.self, bytes) else { return nil }
            self = .hello(version: version)
        case .news:
            guard let news = FrameBytes.decode(News.self, bytes), news.news.isPossible else { return nil }
            self = .news(news.id, attempt: news.attempt, news.news)
        case .removed:
            guard bytes.count == 1 else { return nil }
            self = .removed
        case .alive:
            guard bytes.count == 1 else { return nil }
            self = .alive
        case nil: return nil
        }
    }
}

extension TransferNews {
    /// Far above any file's size, and so small that some of them can be added.
    private static let possible = Int64(0)...(1 << 60)

    /// Whether its numbers are possible. A server may have taken the process over.
    fileprivate var isPossible: Bool {
        let counts: [Int64?]
        switch self {
        case .progressed(let progress):
            counts = [progress.received, progress.toReceive, progress.sent, progress.toSend]
        case .finished(let result): counts = [result.received, result.sent]
        case .interrupted(_, _, let received): counts = [received]
        case .failed, .challenged: counts = []
        }
        return counts.allSatisfy { $0.map(Self.possible.contains) ?? true }
    }
}

private enum FrameBytes {
    static func encode(_ code: UInt8, _ value: some Encodable) -> [UInt8]? {
        guard let packed = try? Packed.encode(value), packed.count < Limits.frameBytes else { return nil }
        return [code] + packed
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: ArraySlice<UInt8>) -> Value? {
        try? Packed.decode(type, from: bytes.dropFirst())
    }
}
