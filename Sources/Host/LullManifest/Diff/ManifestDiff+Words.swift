public import LullModel

/// The value of each key, as a manifest would write it; defaults are written out.
extension ManifestDiff {
    typealias Words = [(String, String?)]

    static func words(of manifest: Manifest) -> Words {
        let retention = manifest.retention
        return [
            ("concurrency", String(manifest.hostConcurrency)), ("heartbeat", heartbeat(manifest.heartbeat)),
            ("groups", manifest.groups.isEmpty ? nil : labels(manifest.groups.mapValues(String.init))),
            ("cost_limit", costLimit(manifest.costLimits)), ("fleet", manifest.fleet.map(fleet)),
            (
                "retention",
                "{ events: \(span(retention.events)), output: \(span(retention.output)), "
                    + "output_size: \(size(Int64(retention.outputBytes))), size: \(size(retention.bytes)) }"
            ),
        ]
    }

    static func words(of app: LullModel.App) -> Words {
        [
            ("plugin", app.plugin), ("sha256", app.sha256), ("description", app.description),
            ("enabled", String(app.enabled)), ("user", app.user),
            ("usage", usage(app.usage, isShared: app.sharesUses)),
            ("idle_after", app.idleAfter.map(span) ?? "never"), ("idle_clock", app.idleClock.rawValue),
            ("keep_warm", span(app.keepWarm)), ("concurrency", String(app.concurrency)),
            ("notify", notify(app.notify)), ("push", app.push.map(push)),
            ("transfers", app.transfers.map(transfers)),
            ("notifications", String(app.notifications)), ("cost_limit", costLimit(app.costLimits)),
        ] + limits(app.limits) + settings(app.settings)
    }

    /// The kind and the times of a task, in words: `processing, at "30 2 * * *"`.
    public static func summary(of task: TaskDefinition) -> String {
        var parts = [task.kind.rawValue]
        if let gap = task.repeat { parts.append("repeat \(span(gap))") }
        if let at = task.at { parts.append("at " + at.texts.map { "\"\($0)\"" }.joined(separator: ", ")) }
        if !task.on.isEmpty { parts.append("on " + task.on.map(\.text).joined(separator: ", ")) }
        if !task.windows.isEmpty {
            parts.append("within " + task.windows.map(\.text).joined(separator: "; "))
        }
        parts += words(of: task.days)
        if !task.enabled { parts.append("disabled") }
        return parts.joined(separator: ", ")
    }

    /// Keys that have no effect on a task of its kind are left out, so that they are no difference.
    static func words(of task: TaskDefinition) -> Words {
        let own: Words = [
            ("kind", task.kind.rawValue), ("description", task.description),
            ("enabled", String(task.enabled)),
            ("repeat", task.repeat.map(span)), ("at", task.at.map { list($0.texts) }),
            ("on", task.on.isEmpty ? nil : "[" + task.on.map(\.text).joined(separator: ", ") + "]"),
            ("concurrency", concurrency(task)),
            ("expect", task.expect.map { "{ at_least: \($0.count)/\(span($0.span)) }" }),
            ("heartbeat", heartbeat(task.heartbeat)),
        ]
        return own + (task.params ?? []).map { ("params." + $0.name, param($0)) }
            + usage(task.limits ?? RunLimits()) + InheritedKey.ofTasks.flatMap { $0.say(task) }
            + settings(task.settings)
    }

    private static func param(_ param: TaskParam) -> String {
        "{ default: \"\(param.value)\"" + (param.match.map { ", match: '\($0)'" } ?? "")
            + (param.choices.isEmpty ? "" : ", one_of: [\(param.choices.joined(separator: ", "))]")
            + (param.description.map { ", description: \($0)" } ?? "") + " }"
    }

    private static func push(_ rules: PushRules) -> String {
        "{ quota: \(rules.quota)/\(span(rules.span)), within: \(span(rules.within)), "
            + "max_size: \(size(Int64(rules.maxBytes)))"
            + (rules.secretFile.map { ", secret_file: \($0)" } ?? "")
            + (rules.mqtt.map { ", mqtt: " + mqtt($0) } ?? "") + " }"
    }

    private static func transfers(_ rules: TransferRules) -> String {
        "{ at_once: \(rules.atOnce)" + (rules.rate.map { ", rate: \(size($0))" } ?? "")
            + (rules.hosts.isEmpty ? "" : ", hosts: \(list(rules.hosts))")
            + ", max_size: \(size(rules.maxSize)) }"
    }

    private static func mqtt(_ source: MQTTSource) -> String {
        "{ broker: \(source.address), topics: \(list(source.topics))"
            + (source.user.map { ", username: \($0)" } ?? "")
            + (source.passwordFile.map { ", password_file: \($0)" } ?? "")
            + (source.caFile.map { ", ca_file: \($0)" } ?? "") + (source.isUrgent ? ", urgent: true" : "")
            + " }"
    }

    private static func costLimit(_ limits: [CostLimit]) -> String? {
        let texts = limits.map { limit in
            let amount =
                limit.figure == .processor ? span(.milliseconds(limit.amount)) : size(limit.amount)
            return "\(limit.figure.rawValue): \(amount)/\(span(limit.span))"
        }
        return texts.isEmpty ? nil : "{ " + texts.joined(separator: ", ") + " }"
    }

    private static func usage(_ limits: RunLimits) -> Words {
        [
            ("limits.memory", limits.memory.map(size)), ("limits.cpu", limits.cpu.map(share)),
            ("limits.processes", limits.processes.map { String($0) }),
        ]
    }

    private static func limits(_ limits: AppLimits) -> Words {
        usage(RunLimits(limits)) + [
            ("limits.descriptors", limits.descriptors.map { String($0) }),
            ("limits.disk", limits.disk.map(size)),
            ("limits.read", files(limits.read)), ("limits.write", files(limits.write)),
            ("limits.network", String(limits.network)),
            ("limits.privileges", limits.keepsPrivileges ? "keep" : "drop"),
        ]
    }

    private static func settings(_ settings: JSONValue) -> Words {
        guard case .object(let members) = settings else { return [] }
        return members.sorted { $0.key < $1.key }.map { ("settings." + $0.key, $0.value.text) }
    }

    private static func fleet(_ fleet: FleetDefinition) -> String {
        "{ database: \(fleet.database), name: \(fleet.name)"
            + (fleet.labels.isEmpty ? "" : ", labels: \(labels(fleet.labels))")
            + (fleet.follow.map { ", follow: \($0)" } ?? "") + " }"
    }

    static func labels(_ labels: [String: String]) -> String {
        "{ " + labels.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
            + " }"
    }

    private static func concurrency(_ task: TaskDefinition) -> String {
        guard let fleet = task.fleet.concurrency else { return String(task.concurrency) }
        return "{ fleet: \(fleet), host: \(task.concurrency) }"
    }

    private static func usage(_ usage: LullModel.App.Usage, isShared: Bool) -> String? {
        switch usage {
        case .none: return nil
        case .manual: return isShared ? ManifestDecoder.usesOfFleet : "manual"
        case .sources(let sources):
            return "[" + (isShared ? ManifestDecoder.usesOfFleet + ", " : "")
                + sources.map { source in
                    switch source {
                    case .log(let path, let match, let time):
                        "{ log: \(path)" + (match.map { ", match: '\($0)'" } ?? "")
                            + ", time: \(self.time(time)) }"
                    case .login(let user): "{ login: \(user ?? "any") }"
                    case .journal(let unit, let match):
                        "{ journal: { unit: \(unit)" + (match.map { ", match: '\($0)'" } ?? "") + " } }"
                    case .access(let path): "{ access: \(path) }"
                    }
                }.joined(separator: ", ") + "]"
        }
    }

    /// Of an address that may hold a secret only a mark is shown, which tells two apart.
    static func notify(_ sinks: [NoticeSink]) -> String? {
        let words = sinks.map { sink in
            let kinds = NoticeKind.allCases.filter(sink.on.contains).map(\.rawValue)
            return "{ \(sink.name), on: [\(kinds.joined(separator: ", "))] }"
        }
        return words.isEmpty ? nil : "[" + words.joined(separator: ", ") + "]"
    }

    private static func heartbeat(_ heartbeat: Heartbeat?) -> String? {
        heartbeat.map { beat in
            "{ url: \(SecretURL.host(of: beat.url)) \(SecretURL.mark(of: beat.url)), every: \(span(beat.every)), "
                + "fail: \(beat.tellsFailures) }"
        }
    }

    private static func time(_ format: UsageSource.TimeFormat) -> String {
        switch format {
        case .common: "common"
        case .rfc3339: "rfc3339"
        case .strptime(let text): "\"\(text)\""
        }
    }

    private static func files(_ files: AppLimits.Files) -> String {
        switch files {
        case .all: "all"
        case .under(let paths): "[" + paths.joined(separator: ", ") + "]"
        }
    }

    static func list(_ texts: [String]) -> String {
        let quoted = texts.map { "\"\($0)\"" }
        return quoted.count == 1 ? quoted[0] : "[" + quoted.joined(separator: ", ") + "]"
    }

    static func span(_ duration: Duration) -> String { DurationText.text(duration) }

    static func share(_ share: Double) -> String { QuantityText.plain(share * 100) + "%" }

    static func size(_ bytes: Int64) -> String {
        for (unit, shift) in [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)]
        where bytes >= 1 << Int64(shift) && bytes & (1 << Int64(shift) - 1) == 0 {
            return "\(bytes >> Int64(shift))\(unit)"
        }
        return "\(bytes)B"
    }
}
