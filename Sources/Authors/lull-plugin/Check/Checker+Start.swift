import LullELF
import LullModel
import LullSystem
import LullWire
import LullWorkers

/// The checks that are made before anything is launched.
extension Checker {
    func checkFile() -> Bool {
        do throws(PluginFault) {
            let facts = try PluginFacts(ofFile: plugin, exports: true)
            report.builtAgainst = "\(facts.abiMajor).\(facts.abiMinor)"
            report.sdk = facts.sdk
            report.libraries = facts.needed
            for check in [PluginCheck.isALibrary, .entryExported, .abiMajor, .entryComplete] {
                add(check, .good)
            }
            conclude(.onlyEntryExported, exportFaults(facts), as: .warning)
            checkSettings()
            return true
        } catch {
            let order: [PluginCheck] = [.isALibrary, .entryExported, .abiMajor, .entryComplete]
            if case .otherMajor(let major, let minor, _, _) = error {
                report.builtAgainst = "\(major).\(minor)"
            }
            for check in order {
                guard check != error.check else { break }
                add(check, .good)
            }
            add(error.check, .fault, [error.sentence(about: plugin)])
            return false
        }
    }

    private func checkSettings() {
        guard let sentence = settingsFault(plugin) else { return add(.settingsDeclared, .good) }
        add(.settingsDeclared, .fault, [sentence])
    }

    /// For a plugin in C only: compilers of other languages export more symbols, which harms nobody.
    private func exportFaults(_ facts: PluginFacts) -> [String] {
        guard facts.sdk?.hasPrefix("c") != false, facts.sdk?.hasPrefix("c++") != true else { return [] }
        let linkers: Set = [
            "_init", "_fini", "_edata", "_end", "__bss_start", "edata", "end", "lull_settings_schema",
        ]
        let names = facts.otherExports.filter {
            !linkers.contains($0) && !$0.hasPrefix("_Z") && !$0.hasPrefix("$s")
        }
        guard !names.isEmpty else { return [] }
        let shown = names.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
        return [
            "It exports \(Phrase.count(names.count, "other name")), such as \(shown). Make functions "
                + "`static`, or compile with -fvisibility=hidden: they could collide with names of a library that it loads."
        ]
    }

    func checkStart() -> Bool {
        let first = trial()
        let start = first.waitForStart()
        let refused = first.refusedIdentifiers
        let submitted = first.kinds
        end(first)
        guard case .ready(let registered, let identity, let duration) = start else {
            var fault = start.fault ?? ""
            // The sentence of a refusal says that these say why; one of a crash quotes them.
            let why = (refused.map { RefusedRegistration.line($0) } + first.lines).suffix(LastLines.few)
            if case .refused = start, !why.isEmpty {
                fault += " It said: " + why.map { "'\($0.withoutFullStop)'" }.joined(separator: ", ") + "."
            }
            if case .refused(let sentence) = start, !sentence.contains("refused to start") {
                add(.loads, .fault, [fault])
            } else {
                add(.loads, .good)
                add(.starts, .fault, [fault])
            }
            return false
        }
        add(.loads, .good)
        add(.starts, .good)
        report.sdk = identity.sdk.isEmpty ? report.sdk : identity.sdk
        checkStartTime(duration)
        checkRegistrations(registered, refused)
        if manifestApp == nil { learn(refused, kinds: submitted) }
        app.tasks = app.tasks.filter { task in
            manifestApp == nil || registered.contains(task.identifier)
        }
        report.tasks = app.tasks.map(\.identifier.text)
        return true
    }

    /// Twice, for the machine may have been busy.
    private func checkStartTime(_ first: Duration) {
        guard wanted.contains(.startsInTime) else { return }
        var best = first
        if first > .seconds(1) {
            let second = trial()
            if case .ready(_, _, let duration) = second.waitForStart() { best = min(best, duration) }
            end(second)
        }
        conclude(
            .startsInTime,
            best > .seconds(1)
                ? [
                    "Loading and `start` took \(best.milliseconds) ms, twice. Each discovery and each cold launch waits for "
                        + "that: register the handlers, and leave the work to the runs."
                ] : [])
    }

    private func checkRegistrations(_ registered: [TaskIdentifier], _ refused: [String]) {
        guard let manifestApp else {
            let isEmpty = refused.isEmpty
            conclude(
                .registersSomething,
                isEmpty
                    ? [
                        "It registers nothing by itself. Call register_task in `start`; if it registers what the manifest "
                            + "permits, name one with --manifest."
                    ] : [])
            add(.registersPermitted, .skipped, [PluginReport.withoutManifest])
            add(.registersOnlyPermitted, .skipped, [PluginReport.withoutManifest])
            return
        }
        conclude(
            .registersSomething,
            registered.isEmpty
                ? ["It registers no handler. Call register_task in `start` for each task."] : [])
        // A continued task may be registered when it is needed.
        let missing = manifestApp.tasks.filter {
            !registered.contains($0.identifier) && $0.enabled && $0.kind != .continued
        }
        conclude(
            .registersPermitted,
            missing.map {
                "It registers no handler for \($0.identifier), which the manifest permits. Register one in `start`, or "
                    + "take the task out of the manifest."
            })
        conclude(
            .registersOnlyPermitted,
            refused.map {
                "It registers '\($0)', which the manifest does not permit for \(manifestApp.identifier). Add the task to "
                    + "the manifest, or take the handler out."
            })
    }

    /// Without a manifest, what the plugin wants to register is permitted to it, as the kind that it submits.
    private func learn(_ identifiers: [String], kinds: [TaskIdentifier: Kind]) {
        app.tasks = identifiers.compactMap { TaskIdentifier($0) }.map { identifier in
            TaskDefinition(
                identifier: identifier, app: app.identifier,
                kind: identifier.isWildcard ? .continued : kinds[identifier] ?? .processing)
        }
        guard let first = app.tasks.first?.identifier.text else { return }
        // The app's own name is most likely that of its tasks, without the last part.
        if let dot = first.lastIndex(of: "."), let name = AppIdentifier(String(first[..<dot])) {
            var named = App(identifier: name, plugin: plugin)
            named.tasks = app.tasks.map { task in
                var task = task
                task.app = name
                return task
            }
            app = named
        }
    }
}

extension PluginFault {
    fileprivate var check: PluginCheck {
        switch self {
        case .noEntry, .entryIsNoData: .entryExported
        case .otherMajor: .abiMajor
        case .tooSmall, .missingFunction: .entryComplete
        case .missing, .danglingLink, .forbidden, .unreadable, .notAFile, .empty, .notELF, .otherMachine,
            .truncated,
            .objectFile, .program, .coreDump, .malformed, .exchanged, .otherDigest:
            .isALibrary
        }
    }
}
