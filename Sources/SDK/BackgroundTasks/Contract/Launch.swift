import CLullPlugin

/// One launch as the host describes it, copied out of borrowed memory.
struct Launch: Sendable {
    var task: lull_task
    var kind: lull_kind
    var identifier: String
    var settings = "{}"
    var title = ""
    var subtitle = ""
    /// Not nil for a health research request.
    var protection: String?
    /// The events that the run was launched for and its attempt, as JSON; nil: neither.
    var origin: String?
    /// Of a push: its JSON, how many earlier pushes were merged into it, and whether people are to be notified.
    var payload = "{}"
    var merged = 0
    var isUrgent = false

    init(task: lull_task, kind: lull_kind, identifier: String, settings: String = "{}") {
        self.task = task
        self.kind = kind
        self.identifier = identifier
        self.settings = settings
    }

    init(_ launch: UnsafePointer<lull_launch>) {
        task = launch.pointee.task
        kind = launch.pointee.kind
        identifier = String(cString: launch.pointee.identifier)
        if launch.has(\.settings) { settings = String(cString: launch.pointee.settings) }
        if launch.has(\.title) { title = launch.pointee.title.map { String(cString: $0) } ?? "" }
        if launch.has(\.subtitle) { subtitle = launch.pointee.subtitle.map { String(cString: $0) } ?? "" }
        if launch.has(\.protection) { protection = launch.pointee.protection.map { String(cString: $0) } }
        if launch.has(\.origin) { origin = launch.pointee.origin.map { String(cString: $0) } }
        guard launch.has(\.is_urgent), let bytes = launch.pointee.payload else { return }
        payload = String(cString: bytes)
        merged = Int(launch.pointee.merged)
        isUrgent = launch.pointee.is_urgent
    }
}
