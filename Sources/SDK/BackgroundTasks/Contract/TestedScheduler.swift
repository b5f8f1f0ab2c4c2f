import CLullPlugin

/// Puts this process's scheduler on a test's host; authors use it through `BackgroundTasksTesting`.
@_spi(LullTesting)
public enum TestedScheduler {
    private static var registry: Registry { BGTaskScheduler.shared.registry }

    /// Forgets all handlers and runs, and uses this host from now on. The host has to live as long as the process.
    public static func restart(on host: UnsafePointer<lull_host>) { registry.restart(on: HostTable(host)) }

    /// The app has launched: only continued tasks are registered from here on.
    public static func finishLaunching() { registry.finishLaunching() }

    /// Whether something handles launches of the identifier.
    public static func hasHandler(_ identifier: String) -> Bool { registry.hasHandler(identifier) }

    /// Begins a run.
    public static func launch(_ launch: UnsafePointer<lull_launch>) { registry.launch(Launch(launch)) }
}
