import LullModel

/// Groups of tasks that share something, across apps and files.
extension ManifestDecoder {
    /// The value for a task that is in no group, though its app is.
    private static let none = "none"

    mutating func group(_ entry: Entry, into group: inout String?) {
        guard let name = text(entry) else { return }
        guard FleetDefinition.isLabel(name) else { return add(.sense(.groupName(name)), at: entry.value) }
        group = name == Self.none ? nil : name
        if group != nil, known.groups[name] == nil { known.groups[name] = place(of: entry.value) }
    }

    mutating func groups(_ entry: Entry) -> [String: Int] {
        guard isMapping(entry.value, of: .groups) else { return [:] }
        var groups: [String: Int] = [:]
        var entries = document.contents(of: entry.value)
        while let key = entries.next(), let value = entries.next().map(document.resolve) {
            guard let name = nameText(key) else { continue }
            if !FleetDefinition.isLabel(name) || name == Self.none {
                add(.sense(.groupName(name)), at: key)
            } else if groups[name] != nil {
                let first = lineOfFirst(name, in: entry.value)
                add(.structure(.duplicateKey(name, firstLine: first)), at: key)
            } else if document.nodes[value].shape == .plain, let most = Int(document.text(value)),
                (1...1000).contains(most)
            {
                groups[name] = most
            } else {
                add(.sense(.groupCount(name)), at: value)
                // It is listed all the same.
                groups[name] = 1
            }
        }
        return groups
    }
}

extension Manifest {
    /// Groups of only one task, each with the name of another group that may have been meant.
    var lonelyGroups: [(name: String, nearest: String?)] {
        let members = Dictionary(grouping: tasks.compactMap(\.group)) { $0 }.mapValues(\.count)
        let names = members.keys.sorted()
        return names.filter { members[$0] == 1 && groups[$0] == nil }.enumerated().map { index, name in
            let others = index < Spelling.mostQuestions ? names.filter { $0 != name } : []
            return (name, Spelling.nearest(to: name, among: others))
        }
    }
}
