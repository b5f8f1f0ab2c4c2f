import BackgroundTasks
@_exported import Dispatch
@_exported import Foundation
@_exported import Glibc
import Synchronization

/// The lock of `os`, which here is the C library's.
///
/// Apple: os, `os_unfair_lock`.
public typealias os_unfair_lock = pthread_mutex_t
/// As ``os_unfair_lock``.
public typealias os_unfair_lock_s = pthread_mutex_t
/// The address of a lock.
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock>

/// Waits for the lock and takes it.
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) { pthread_mutex_lock(lock) }
/// Gives the lock back.
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) { pthread_mutex_unlock(lock) }
/// Takes the lock, if nobody has it.
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool { pthread_mutex_trylock(lock) == 0 }

/// A value that one thread at a time may use.
///
/// Apple: os, `OSAllocatedUnfairLock`.
// Sendable: the value is touched behind the lock alone, and a caller's value crosses threads only as `withLock` permits.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    private final class Storage {
        let lock: UnsafeMutablePointer<pthread_mutex_t>
        var state: State

        init(_ state: State) {
            self.state = state
            lock = .allocate(capacity: 1)
            lock.initialize(to: pthread_mutex_t())
        }

        deinit {
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }
    }
    private let storage: Storage

    /// A lock around a value.
    public init(uncheckedState initialState: State) { storage = Storage(initialState) }

    /// A lock around a value.
    public init(initialState: State) where State: Sendable { storage = Storage(initialState) }

    /// Lends the value while the lock is held.
    public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
        try withLockUnchecked(body)
    }

    /// Lends the value while the lock is held, without checks for Sendable.
    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
        pthread_mutex_lock(storage.lock)
        defer { pthread_mutex_unlock(storage.lock) }
        return try body(&storage.state)
    }
}

extension OSAllocatedUnfairLock where State == Void {
    /// A lock around nothing.
    public init() { self.init(uncheckedState: ()) }

    /// Runs code while the lock is held.
    public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R {
        try withLockUnchecked { _ in try body() }
    }

    /// Waits for the lock and takes it.
    @available(*, noasync)
    public func lock() { pthread_mutex_lock(storage.lock) }

    /// Gives the lock back.
    @available(*, noasync)
    public func unlock() { pthread_mutex_unlock(storage.lock) }
}
