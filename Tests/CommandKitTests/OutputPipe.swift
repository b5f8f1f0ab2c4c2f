import Foundation
import Glibc

/// A pipe for a command's output; its reads wait on threads of their own.
final class OutputPipe: Sendable {
    struct Failure: Error {}

    let writer: Int32
    private let reader: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure() }
        reader = ends[0]
        writer = ends[1]
    }

    /// What comes next.
    func some() async -> String {
        let reader = reader
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: Self.read(reader)) }
        }
    }

    /// All until nobody can write any more.
    func rest() async -> String {
        close(writer)
        let reader = reader
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var all = ""
                while case let text = Self.read(reader), !text.isEmpty { all += text }
                continuation.resume(returning: all)
            }
        }
    }

    private static func read(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    deinit {
        close(reader)
    }
}
