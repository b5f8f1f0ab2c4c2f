import Dispatch

/// A library without actors: it calls its handler on a queue of its own.
public final class Handlers {
    private var handler: ((UInt64) -> Void)?

    public init() {}

    public func whenLaunched(_ body: @escaping (UInt64) -> Void) { handler = body }

    public func launch(_ task: UInt64) {
        let handler = handler
        DispatchQueue(label: "handlers").async { handler?(task) }
    }
}
