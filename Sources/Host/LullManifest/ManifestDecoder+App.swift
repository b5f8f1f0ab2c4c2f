import LullModel

extension ManifestDecoder {
    /// Nil if the app's identifier is not valid; its keys are checked all the same.
    mutating func app(named name: NodeID, _ value: NodeID, inherited: Inherited) -> App? {
        let before = known.apps.count
        let identifier = appIdentifier(name)
        guard document.nodes[value].shape != .refused else { return nil }
        let shape = document.nodes[value].shape
        guard shape == .mapping || document.isEmpty(value) else {
            add(.structure(.entryIsNotAMapping(.app, found: found(value))), at: value)
            return nil
        }
        var draft = AppDraft(inherited: inherited)
        // The problems of a key may depend on the plugin, wherever `plugin` is written.
        pluginName = nameOfPlugin(of: value)
        var seen = KeySet()
        if shape == .mapping {
            seen = keys(of: value, in: .app) { decoder, entry in decoder.app(entry, into: &draft) }
        }
        // The permitted owner of the plugin depends on `user`, wherever that is written.
        if let entry = draft.pluginEntry {
            let user = draft.inherited.user
            draft.plugin = plugin(entry, as: user == App.hostsUser ? nil : user)
        }
        // A key that is missing in an app's second entry may be in its first.
        if !document.isCut(value), known.apps.count > before { complain(about: draft, seen: seen, at: name) }
        appHasUses = draft.usage != .none || draft.sharesUses
        let tasks = tasks(draft.tasks, app: identifier, inherited: draft.inherited)
        let pushes = draft.pushKey.flatMap {
            taskOfPushes($0, draft.push, app: identifier, inherited: draft.inherited)
        }
        let ofTransfers = draft.transfersEntry.flatMap { transfers($0, inherited: draft.inherited) }
        let transferring = draft.transfersEntry.flatMap {
            taskOfTransfers($0.keyNode, ofTransfers, app: identifier)
        }
        guard let identifier else { return nil }

        var app = App(identifier: identifier, plugin: draft.plugin ?? "")
        app.sha256 = draft.sha256
        app.description = draft.description
        app.enabled = draft.isEnabled
        app.settings = draft.settings
        app.usage = draft.usage
        app.sharesUses = draft.sharesUses
        app.idleAfter = draft.inherited.idleAfter
        app.idleClock = draft.inherited.idleClock
        app.keepWarm = draft.inherited.keepWarm
        app.user = draft.inherited.user
        app.limits = draft.inherited.limits
        app.costLimits = draft.costLimits
        app.concurrency = draft.inherited.concurrency
        app.notify = draft.inherited.notify
        app.notifications = draft.mayNotify
        app.tasks = tasks + [pushes, transferring].compactMap(\.self)
        app.push = draft.push
        app.transfers = ofTransfers?.rules
        app.line = line(of: name)
        app.file = otherFile
        return app
    }

    private mutating func app(_ entry: Entry, into draft: inout AppDraft) {
        switch entry.key {
        case .plugin: draft.pluginEntry = entry
        case .description: draft.description = text(entry)
        case .enabled: draft.isEnabled = boolean(entry) ?? true
        case .settings: draft.settings = settings(entry)
        case .usage: (draft.usage, draft.sharesUses) = usage(entry)
        case .tasks: draft.tasks = entry.value
        case .sha256: draft.sha256 = digest(entry)
        case .push:
            draft.pushKey = entry.keyNode
            draft.push = push(entry)
        // Its own keys come on top of the app's, wherever those are written.
        case .transfers: draft.transfersEntry = entry
        case .notifications: draft.mayNotify = boolean(entry) ?? false
        case .costLimit: draft.costLimits = costLimits(entry)
        default: inherited(entry, into: &draft.inherited)
        }
    }

    /// The text of a key that is a name; nil if it is not text, which is reported.
    mutating func nameText(_ name: NodeID) -> String? {
        let node = document.resolve(name)
        guard document.isScalar(node) else {
            if document.nodes[node].shape != .refused {
                add(.structure(.keyIsNotText(found(node))), at: name)
            }
            return nil
        }
        let text = document.text(node)
        guard text != "<<" else {
            add(.structure(.mergeKey), at: name)
            return nil
        }
        return text
    }

    private mutating func appIdentifier(_ name: NodeID) -> AppIdentifier? {
        guard let text = nameText(name) else { return nil }
        if let first = known.apps[text] {
            add(.identifier(.duplicateApp(text, first: first.seen(from: file))), at: name)
            return nil
        }
        known.apps[text] = KnownIdentifiers.Place(file: file, line: line(of: name))
        if let fault = IdentifierProblem.fault(in: text) { add(.identifier(.app(text, fault)), at: name) }
        return AppIdentifier(text)
    }

    private mutating func plugin(_ entry: Entry, as user: String?) -> String? {
        guard let name = text(entry) else { return nil }
        switch plugins.find(name, as: user) {
        case .success(let path): return path
        case .failure(let refusal):
            add(.plugin(refusal.problem), at: entry.value)
            return nil
        }
    }

    private func nameOfPlugin(of app: NodeID) -> String {
        guard document.nodes[app].shape == .mapping else { return "" }
        var entries = document.contents(of: app)
        var plugin: NodeID?
        while plugin == nil, let key = entries.next(), let value = entries.next() {
            let key = document.resolve(key)
            if document.isScalar(key), document.text(key) == Key.plugin.rawValue {
                plugin = document.resolve(value)
            }
        }
        guard let plugin, document.isScalar(plugin) else { return "" }
        var name = Path.name(of: document.text(plugin))[...]
        if name.hasSuffix(".so") { name = name.dropLast(3) }
        return String(name.hasPrefix("lib") ? name.dropFirst(3) : name)
    }

    private mutating func complain(about draft: AppDraft, seen: KeySet, at node: NodeID) {
        let name = document.text(document.resolve(node))
        if !seen.contains(.plugin, in: .app) { add(.structure(.missingKey(.plugin, in: .app)), at: node) }
        // A `usage` that was refused will be corrected, so it counts as a source.
        if !seen.contains(.usage, in: .app), let idleAfter = draft.inherited.idleAfter {
            add(.sense(.noSourceOfUse(app: name, idleAfter: DurationText.text(idleAfter))), at: node)
        }
        if draft.push == nil, draft.transfersEntry == nil,
            draft.tasks.map({ (document.isEmpty($0) || isEmptyMapping($0)) && !misindented.contains($0) })
                ?? true
        {
            add(.sense(.noTasks(app: name)), at: node)
        }
    }

    func isEmptyMapping(_ id: NodeID) -> Bool {
        document.nodes[id].shape == .mapping && Int(document.nodes[id].next) == id + 1
    }

    private mutating func tasks(_ list: NodeID?, app: AppIdentifier?, inherited: Inherited)
        -> [TaskDefinition]
    {
        guard let list, isMapping(list, of: .tasks) else { return [] }
        var found: [TaskDefinition] = []
        for (name, value) in entries(of: list, each: .task) {
            if let task = task(named: name, document.resolve(value), app: app, inherited: inherited) {
                found.append(task)
            }
        }
        return found
    }
}

/// An app while its keys are read.
private struct AppDraft {
    var inherited: Inherited
    var pluginEntry: ManifestDecoder.Entry?
    var plugin: String?
    var sha256: String?
    var description: String?
    var isEnabled = true
    var mayNotify = false
    var settings = JSONValue.object([:])
    var usage = App.Usage.none
    var sharesUses = false
    var tasks: Document.NodeID?
    var push: PushRules?
    var pushKey: Document.NodeID?
    var transfersEntry: ManifestDecoder.Entry?
    var costLimits: [CostLimit] = []
}
