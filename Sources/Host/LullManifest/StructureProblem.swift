/// An error in the shape of a manifest: its keys, its anchors, its bounds.
public enum StructureProblem: Sendable, Hashable {
    case rootIsNotAMapping(found: Found)
    /// An app or a task that has no keys of its own.
    case entryIsNotAMapping(Place, found: Found)
    case unknownKey(String, in: Place, nearest: String?)
    /// A key of the manifest in the wrong place.
    case misplacedKey(Key, in: Place, belongs: [Place])
    /// A key that is known by another name here.
    case otherName(String, in: Place, meant: Key)
    /// A key for something that is done here without a key.
    case otherWay(String, in: Place, way: String)
    /// A key that belongs in the settings of the plugin Command; `isCommand`: whether that is the app's plugin.
    case meantForPlugin(String, in: Place, setting: String, isCommand: Bool)
    /// A key, or an app or a task, that stands as far left as the one that should contain it.
    case notDeeper(String, than: String)
    case reservedKey(String)
    /// `-item`, where a list is meant; with the item, where it may be shown.
    case spaceAfterDash(String?)
    case duplicateKey(String, firstLine: Int)
    case missingKey(Key, in: Place)
    /// For the plugin Command, whose tasks are all of one kind.
    case missingKind
    case keyIsNotText(Found)
    case mergeKey
    case tag(String)
    case unknownAlias(String, nearest: String?)
    case aliasContainsItself(String)
    case expandsTooFar(String, limit: Int)
    case tooDeep(limit: Int)
    case tooManyNodes(limit: Int)
    case secondDocument
    case tooManyProblems(unreported: Int)

    var stopsReading: Bool {
        switch self {
        case .expandsTooFar, .tooDeep, .tooManyNodes, .secondDocument, .tooManyProblems: true
        default: false
        }
    }

    var message: String {
        switch self {
        case .rootIsNotAMapping(let found):
            "a manifest must be keys and values, not \(found.phrase)"
        case .entryIsNotAMapping(let place, let found):
            "\(place.phrase) must be keys and values, not \(found.phrase)"
        case .unknownKey(let key, let place, _), .otherName(let key, let place, _),
            .otherWay(let key, let place, _), .meantForPlugin(let key, let place, _, _):
            "unknown key \(quoted(key)) in \(place.phrase)"
        case .misplacedKey(let key, let place, _):
            "the key '\(key.rawValue)' is not allowed in \(place.phrase)"
        case .notDeeper(let key, let outer):
            "\(quoted(key)) is not indented below \(quoted(outer)), so it is not part of it"
        case .reservedKey(let key): "the key '\(key)' is reserved for a later version of lull"
        case .spaceAfterDash: "the space after the `-` is missing, so this is not a list"
        case .duplicateKey(let key, let line):
            "the key \(quoted(key)) appears twice; the first is on line \(line)"
        case .missingKind: "a task needs the key 'kind'"
        case .missingKey(let key, let place): "\(place.phrase) needs the key '\(key.rawValue)'"
        case .keyIsNotText(let found): "a key must be a word, not \(found.phrase)"
        case .mergeKey: "the merge key '<<' is not part of a manifest"
        case .tag(let tag): "the tag \(quoted(Self.short(tag))) is not part of a manifest"
        case .unknownAlias(let name, _): "no anchor above is named \(quoted("&" + name))"
        case .aliasContainsItself(let name): "the alias \(quoted("*" + name)) is inside its own anchor"
        case .expandsTooFar(let name, let limit):
            "with the alias \(quoted("*" + name)) the manifest expands to more than \(limit) nodes"
        case .tooDeep(let limit): "this is nested more than \(limit) levels deep"
        case .tooManyNodes(let limit): "the manifest has more than \(limit) keys, values and lists"
        case .secondDocument: "a second document begins here, but a manifest is one document"
        case .tooManyProblems(let count): "and \(count) more problems that are not listed"
        }
    }

    var fix: String {
        switch self {
        case .rootIsNotAMapping: "begin with `version: 1` and list your apps under `apps:`"
        case .entryIsNotAMapping(_, .text(let text)) where text.contains(":"):
            "write it on a line of its own, with a space after the colon: `\(Self.spaced(text))`"
        case .entryIsNotAMapping(let place, _):
            "write its keys below it, such as `\(place == .app ? Key.plugin.example : Key.kind.example)`"
        case .unknownKey(_, _, let nearest?): "did you mean `\(nearest)`?"
        case .unknownKey(let key, let place, nil):
            key.contains(":")
                ? "put a space after the colon, or put a key that contains a colon in quotes"
                : "the keys here are \(place.keys.map(\.rawValue).joined(separator: ", "))"
        case .misplacedKey(let key, .taskLimits, [.limits]):
            "write `\(key.rawValue)` in the `limits` of the app"
        case .misplacedKey(let key, _, let places):
            "'\(key.rawValue)' belongs in \(alternatives(places.map(\.phrase)))"
        case .otherName(_, .task, .retry):
            "write how many times it may run, and how long it waits after the first failure: `\(Key.retry.example)`"
        case .otherName(_, let place, let key) where place.keys.contains(key):
            "write `\(key.rawValue)`, such as `\(key.example(in: place))`"
        case .otherName(_, .app, let key) where Place.task.keys.contains(key):
            "write `\(key.rawValue)` in a task of it, such as `\(key.example)`"
        case .otherName(_, _, let key):
            "write `\(key.rawValue)` in \(alternatives(Place.places(for: key).map(\.phrase))), such as `\(key.example)`"
        case .otherWay(_, _, let way): way
        case .meantForPlugin(_, _, let setting, isCommand: true):
            "the plugin Command has a setting for it: `settings: { \(setting): … }`"
        case .meantForPlugin(_, _, let setting, isCommand: false):
            "a plugin's own options belong in `settings`; `plugin: Command` runs commands, with "
                + "`settings: { \(setting): … }`"
        case .notDeeper(_, let outer):
            "indent it, and the lines that belong to it, two spaces deeper than \(quoted(outer))"
        case .reservedKey: "take it out until a later version of lull uses it"
        case .spaceAfterDash(let item?): "write `- \(item)`"
        case .spaceAfterDash(nil): "write a space after each `-`"
        case .duplicateKey: "keep one of the two"
        case .missingKey(.plugin, _): "write `plugin: Command` to run command lines, or another plugin's name"
        case .missingKey(let key, _): "write `\(key.example)`"
        case .missingKind: "write `kind: processing`, the kind for commands"
        case .keyIsNotText: "write `word: value`"
        case .mergeKey: "write the keys out here"
        case .tag: "take it out: the schema says what type a value has"
        case .unknownAlias(_, let nearest?): "did you mean `*\(nearest)`?"
        case .unknownAlias(let name, nil):
            "put `&\(quotable(name))` before the value that is meant, or quotes around text "
                + "that begins with `*`"
        case .aliasContainsItself: "write the value out"
        case .expandsTooFar: "use fewer aliases inside the values of other aliases"
        case .tooDeep: "use fewer levels"
        case .tooManyNodes: "split the tasks among more hosts, or check that this is the right file"
        case .secondDocument: "take out the `---`, and put all apps under one `apps:`"
        case .tooManyProblems: "fix the ones above first"
        }
    }

    /// The first `key:value` of a text as it should be.
    private static func spaced(_ text: String) -> String {
        let pair = text.prefix { $0 != " " }
        return pair.split(separator: ":", maxSplits: 1).joined(separator: ": ")
    }

    /// `!!int` as it is written; libyaml gives it in full.
    private static func short(_ tag: String) -> String {
        let prefix = "tag:yaml.org,2002:"
        return tag.hasPrefix(prefix) ? "!!" + tag.dropFirst(prefix.count) : tag
    }

    private func quotable(_ name: String) -> String { String(name.unicodeScalars.prefix(60)) }
}

/// The value that was found in place of the expected one.
public enum Found: Sendable, Hashable {
    case text(String)
    case textInQuotes(String)
    case list
    case mapping
    case nothing

    var phrase: String {
        switch self {
        case .text(let text): quoted(text)
        case .textInQuotes(let text): "the text \(quoted(text)) in quotes"
        case .list: "a list"
        case .mapping: "a mapping"
        case .nothing: "nothing"
        }
    }
}
