import GRDB
import LullModel

/// A text as a row holds it: by its number in the table `names`, or in full.
enum Name: Equatable, Sendable {
    case number(Int64)
    case text(String)
}

extension Name: DatabaseValueConvertible {
    var databaseValue: DatabaseValue {
        switch self {
        case .number(let number): number.databaseValue
        case .text(let text): text.databaseValue
        }
    }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Name? {
        switch value.storage {
        case .int64(let number): .number(number)
        case .string(let text): .text(text)
        default: nil
        }
    }
}

/// The texts that rows hold by a number, as far as one connection has used them.
///
/// A number stands for its text for ever, so a text that was read once stays valid. A sentence gets a number when it is used
/// for the second time, because most are never used again. Texts that a plugin makes up can't fill the table without end:
/// after the number `most` each new text is written in its rows in full.
struct Names: Sendable {
    /// The highest number.
    static let most: Int64 = 1 << 16
    /// A text with more bytes is written in full.
    static let longest = 512
    /// The number of sentences that are remembered until they are used again.
    private static let mostOnce = 1024

    private var numbers: [String: Int64] = [:]
    private var texts: [Int64: String] = [:]
    /// Parsed identifiers, because rows repeat the same few.
    private var apps: [Int64: AppIdentifier] = [:]
    private var identifiers: [Int64: TaskIdentifier] = [:]
    private var once: Set<String> = []
    /// The tasks that are known to be in the table `tasks`.
    private var tasks: Set<[String]> = []
    private var last: Int64?

    /// To be called after a rollback: the numbers that the transaction gave do not exist.
    mutating func forget() { self = Names() }

    // MARK: - Reading

    mutating func text(_ number: Int64, _ db: Database) throws -> String? {
        if number < Words.end { return Words.word(number) }
        if let text = texts[number] { return text }
        let statement = try db.cachedStatement(sql: "SELECT text FROM names WHERE id = ?")
        guard let text = try String.fetchOne(statement, arguments: [number]) else { return nil }
        texts[number] = text
        return text
    }

    mutating func app(_ number: Int64, _ db: Database) throws -> AppIdentifier? {
        if let app = apps[number] { return app }
        apps[number] = try text(number, db).flatMap(AppIdentifier.init(recorded:))
        return apps[number]
    }

    mutating func task(_ number: Int64, _ db: Database) throws -> TaskIdentifier? {
        if let task = identifiers[number] { return task }
        identifiers[number] = try text(number, db).flatMap(TaskIdentifier.init)
        return identifiers[number]
    }

    /// How rows hold this text: its number, or the text itself if it has none.
    mutating func known(_ text: String, _ db: Database) throws -> Name {
        if let number = Words.number(of: text) ?? numbers[text] { return .number(number) }
        let statement = try db.cachedStatement(sql: "SELECT id FROM names WHERE text = ?")
        guard let number = try Int64.fetchOne(statement, arguments: [text]) else { return .text(text) }
        numbers[text] = number
        return .number(number)
    }

    // MARK: - Writing

    /// For a text that is soon used again: it gets a number at its first use.
    mutating func identifier(_ text: String, _ db: Database) throws -> Name {
        let name = try known(text, db)
        if case .text = name { return try make(text, db) }
        return name
    }

    /// For a text that may never be used again: it gets a number at its second use.
    mutating func sentence(_ text: String, _ db: Database) throws -> Name {
        guard text.utf8.count <= Self.longest else { return .text(text) }
        let name = try known(text, db)
        guard case .text = name else { return name }
        if once.remove(text) != nil { return try make(text, db) }
        if once.count >= Self.mostOnce { once.removeAll() }
        once.insert(text)
        return name
    }

    /// Records in the table `tasks` that an app has this task.
    mutating func note(_ task: (name: String, key: Name), of app: (name: String, key: Name), _ db: Database)
        throws
    {
        guard tasks.count < Self.most, tasks.insert([app.name, task.name]).inserted else { return }
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO tasks (app, task) VALUES (?, ?)")
            .execute(arguments: [app.key, task.key])
    }

    private mutating func make(_ text: String, _ db: Database) throws -> Name {
        let end = Words.end - 1
        let last =
            try self.last ?? max(end, Int64.fetchOne(db, sql: "SELECT max(id) FROM names") ?? end)
        guard last < Self.most, text.utf8.count <= Self.longest else { return .text(text) }
        try db.cachedStatement(sql: "INSERT INTO names (id, text) VALUES (?, ?)")
            .execute(arguments: [last + 1, text])
        self.last = last + 1
        numbers[text] = last + 1
        return .number(last + 1)
    }
}
