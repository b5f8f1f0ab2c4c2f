import CBenchmarks
import LullManifest
import LullModel

/// Reading a manifest of 10,000 tasks, against libyaml's event loop with nothing done to the events.
struct ManifestBenchmark {
    let workshop: Workshop

    func rows() throws -> [Row] {
        let text = Array(Self.manifest(plugin: workshop.plugin).utf8)
        let path = workshop.folder + "/ten-thousand.yaml"
        let reader = ManifestReader(pluginPath: [])
        let result = reader.read(text: text, path: path)
        guard let manifest = result.manifest, manifest.tasks.count == 10_000 else {
            let problems = result.diagnostics.prefix(3).map { $0.rendered(colour: false) }
            throw BenchmarkError(
                "the manifest of 10,000 tasks can't be read:\n" + problems.joined(separator: "\n"))
        }
        let events = benchmarks_count_yaml_events(text, text.count)
        guard events > 0 else { throw BenchmarkError("libyaml can't read the manifest of 10,000 tasks") }
        // In turns, so that other work on the machine affects both.
        var bare: [Double] = []
        var read: [Double] = []
        for round in 0...15 {
            let reference = Stopwatch.time { _ = benchmarks_count_yaml_events(text, text.count) }
            let figure = Stopwatch.time { _ = reader.read(text: text, path: path) }
            guard round > 0 else { continue }
            bare.append(reference)
            read.append(figure)
        }
        let size = Figures.grouped(text.count / 1024)
        return [
            Row(
                "a manifest of 10,000 tasks (\(size) KiB, \(Figures.grouped(Int(events))) events), read",
                Sample(read), against: ("libyaml's bare event loop", Sample(bare)), aim: "3 ×")
        ]
    }

    /// 1,000 apps of 10 tasks, with the keys that a task usually has.
    static func manifest(plugin: String) -> String {
        var text = "version: 1\n\ndefaults:\n  idle_after: 7d\n\napps:\n"
        for app in 0..<1000 {
            text += "  com.example.App\(app):\n    plugin: \(plugin)\n    description: App number \(app)\n"
            text +=
                "    usage: manual\n    settings: { feed: \"feeds/\(app).json\", entries: 100 }\n    tasks:\n"
            for task in 0..<10 {
                text +=
                    task.isMultiple(of: 2)
                    ? "      refresh\(task):\n        kind: refresh\n        repeat: 15m\n"
                    : """
                          clean\(task):
                            kind: processing
                            repeat: 7d
                            requires: { external_power: true, network: any }
                            windows: ["01:00-05:00", "Sat,Sun 22:00-07:00"]
                            time_limit: 10m

                    """
            }
        }
        return text
    }
}
