/// The error in a frame. Frames come from a process that runs foreign code, so any error is possible.
public enum WireError: Error, Sendable, Equatable {
    case empty
    case tooLong(bytes: Int)
    case unknownFrame(UInt8)
    /// The frame ends inside a field.
    case cutShort
    /// There are bytes after the last field.
    case surplus(bytes: Int)
    case notUTF8
    /// A text is longer than its field may be.
    case fieldTooLong(bytes: Int, limit: Int)
    case listTooLong(count: Int, limit: Int)
    /// A number without a meaning in its field.
    case unknownValue(UInt8)

    public var message: String {
        switch self {
        case .empty: "an empty frame"
        case .tooLong(let bytes): "a frame of \(bytes) bytes, which is too long"
        case .unknownFrame(let code): "a frame of the unknown type \(code)"
        case .cutShort: "a frame that is cut short"
        case .surplus(let bytes): "a frame with \(bytes) bytes too many"
        case .notUTF8: "a frame with text that is not UTF-8"
        case .fieldTooLong(let bytes, let limit):
            "a frame with a field of \(bytes) bytes, where \(limit) are the limit"
        case .listTooLong(let count, let limit):
            "a frame with a list of \(count), where \(limit) are the limit"
        case .unknownValue(let value): "a frame with the value \(value), which means nothing there"
        }
    }
}
