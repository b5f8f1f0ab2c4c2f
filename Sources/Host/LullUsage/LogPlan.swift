import LullModel

/// The files to read, and their start offsets, to continue a log that may have been rotated meanwhile.
struct LogPlan: Sendable, Equatable {
    /// The log itself, or one that was rotated away and still lies beside it.
    struct File: Sendable, Equatable {
        var path: String
        var size: Int64
        var modified: WallTime
        /// Whether the file begins with the bytes that were read last.
        var continues = false
    }

    struct Step: Sendable, Equatable {
        var path: String
        var offset: Int64
        /// Whether the offset may be inside a line.
        var isMidLine = false
    }

    /// In the order in which they were written.
    private(set) var steps: [Step]
    /// Whether the file that was read last is gone, so that lines may have been missed.
    private(set) var isBroken = false

    /// `log` is the file under the log's own name, nil while there is none; `rotated` are those beside it. At most the
    /// last `limit` bytes are read.
    ///
    /// Without a position the log is read from its beginning, after the newest rotated file.
    init(from position: LogPosition?, log: File?, rotated: [File], limit: Int64) {
        let rotated = rotated.sorted { $0.isOlder(than: $1) }
        var files: [File]
        var offset: Int64 = 0
        if let position {
            if let log, log.continues {
                (files, offset) = ([log], position.offset)
            } else if let index = rotated.lastIndex(where: \.continues) {
                (files, offset) = (Array(rotated[index...]), position.offset)
                if let log { files.append(log) }
            } else {
                isBroken = position.offset > 0
                files = rotated.filter { $0.modified >= position.read }
                if let log { files.append(log) }
            }
        } else {
            files = rotated.suffix(1)
            if let log { files.append(log) }
        }
        steps = []
        var left = limit
        for (index, file) in files.enumerated().reversed() where left > 0 {
            let start = index == 0 ? offset : 0
            let first = max(start, file.size - left)
            steps.insert(Step(path: file.path, offset: first, isMidLine: first > start), at: 0)
            left -= file.size - first
        }
    }
}

extension LogPlan.File {
    /// Of files written in one moment, `log.2` is older than `log.1`, and `log-20261120` than `log-20261121`.
    fileprivate func isOlder(than other: LogPlan.File) -> Bool {
        if modified != other.modified { return modified < other.modified }
        if let number, let otherNumber = other.number { return number > otherNumber }
        return path < other.path
    }

    /// How often the file was rotated, if its name ends with that number.
    private var number: Int? {
        let digits = path.reversed().prefix { $0.isNumber }
        return digits.count <= 4 ? Int(String(digits.reversed())) : nil
    }
}
