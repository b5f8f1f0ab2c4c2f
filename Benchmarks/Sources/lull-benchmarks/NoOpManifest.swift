/// Manifests of no-op tasks that are launched on request, or at the interval of `repeat`.
struct NoOpManifest {
    var plugin: String
    var apps: Int
    var tasksPerApp: Int
    var keepWarm: String
    var runsAtOnce = 4
    var `repeat`: String?
    /// The mapped file into which launches write their time.
    var stamps: String?

    var text: String {
        var text = """
            version: 1
            defaults:
              concurrency: { host: \(runsAtOnce), app: \(runsAtOnce) }
              idle_after: never
              keep_warm: \(keepWarm)
            apps:

            """
        for app in 0..<apps {
            text += "  com.example.NoOp\(app):\n    plugin: \(plugin)\n"
            if let stamps {
                text += "    settings: { stamps: \"\(stamps)\" }\n    limits: { write: [\"\(stamps)\"] }\n"
            }
            text += "    tasks:\n"
            for task in 0..<tasksPerApp {
                let gap = self.repeat.map { "repeat: \($0), " } ?? ""
                text += "      task\(task): { kind: processing, \(gap)requires: { idle: false } }\n"
            }
        }
        return text
    }

    func task(_ number: Int) -> String { "com.example.NoOp\(number % apps).task\(number / apps)" }
}
