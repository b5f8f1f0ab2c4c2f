import BackgroundTasks

/// The background work of an app's scenes, collected from its body.
@MainActor
struct SceneContent {
    /// A value that a scene watches, with the action for a change.
    struct Watched {
        let value: Any
        let isEqual: (Any) -> Bool
        let tell: (Any) -> Void
        let isInitial: Bool
    }

    var actions: [(identifier: String, action: @Sendable () async -> Void)] = []
    var sessions: [(matches: @Sendable (String) -> Bool, action: @Sendable (String) async -> Void)] = []
    var watched: [Watched] = []

    init(of scene: some Scene) {
        add(scene)
    }

    mutating func add(_ scene: some Scene) {
        if let scene = scene as? any PrimitiveScene {
            scene.add(to: &self)
        } else {
            add(scene.body)
        }
    }

    /// Registers each action as the handler of its task.
    func register() {
        for (identifier, action) in actions {
            BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: .main) { task in
                Work(task).begin(action)
            }
        }
        registerTransfers()
        for watched in watched where watched.isInitial { watched.tell(watched.value) }
    }

    /// Registers the actions of sessions: a launch calls, for each of its sessions, the first action that matches.
    private func registerTransfers() {
        guard !sessions.isEmpty else { return }
        let actions = sessions
        TransferLaunch.register("backgroundTask(.urlSession)") { task in
            let identifiers = TransferLaunch.sessions(in: task.launchEvents)
            Work(task).begin {
                await withTaskGroup { group in
                    for identifier in identifiers {
                        guard let action = actions.first(where: { $0.matches(identifier) })?.action else {
                            LullApp.log(
                                "Transfers of the session '\(identifier)' have ended, but no scene has a "
                                    + ".backgroundTask(.urlSession(\"\(identifier)\")) for them.",
                                level: .error)
                            continue
                        }
                        group.addTask { await action(identifier) }
                        SessionEvents.app.launched(identifier)
                    }
                }
            }
        }
    }

    /// Calls the actions of values that have changed. A body has the same scenes each time.
    func tellChanges(since earlier: SceneContent) {
        for (new, old) in zip(watched, earlier.watched) where !new.isEqual(old.value) { new.tell(old.value) }
    }

    /// A run whose work is an async function.
    // Sendable: `task` is a constant, and is used twice. `begin` sets its expiration handler, which keeps and cancels the Swift
    // task alone; that one completes it, which `BGTask` lets any thread do, once.
    private final class Work: @unchecked Sendable {
        private let task: BGTask

        init(_ task: BGTask) {
            self.task = task
        }

        func begin(_ action: @escaping @Sendable () async -> Void) {
            let work = Task {
                await action()
                self.task.setTaskCompleted(success: !Task.isCancelled)
            }
            task.expirationHandler = { work.cancel() }
        }
    }
}

extension Scene {
    /// Calls the action when the value has changed. The phase of the scene changes when the app enters the background.
    ///
    /// Apple: SwiftUI, `Scene.onChange(of:initial:_:)`.
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some Scene {
        SceneGroup { content in
            content.add(self)
            content.watched.append(
                .init(
                    value: value, isEqual: { $0 as? V == value },
                    tell: { old in action(old as? V ?? value, value) }, isInitial: initial))
        }
    }

    /// As ``onChange(of:initial:_:)-swift.method``, for an action without arguments.
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some Scene {
        onChange(of: value, initial: initial) { _, _ in action() }
    }

    /// The older form, whose action is given the new value.
    ///
    /// Apple: SwiftUI, `Scene.onChange(of:perform:)`, deprecated since iOS 17.
    public func onChange<V: Equatable>(
        of value: V, perform action: @escaping (_ newValue: V) -> Void
    ) -> some Scene {
        onChange(of: value) { _, new in action(new) }
    }
}
