private import Glibc

/// A system call of the loop that failed.
public struct LoopError: Error, Sendable, Equatable {
    public let operation: String
    public let code: Int32

    public init(operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    public var message: String { "Can't \(operation): \(String(cString: strerror(code)))." }
}
