import LullModel

/// The calendar files that a manifest names, each read once.
struct CalendarFiles {
    struct File {
        var path: String
        var bytes: [UInt8] = []
        var days = DayText.Days()
        var problems = Problems()
        /// Why it is not used.
        var failure: CalendarProblem?
    }

    private var known: [String: Int] = [:]
    private var files: [File] = []
    private var reported = 0
    /// The bytes of all files together.
    private var size = 0

    /// `name`: as the manifest has it; `path`: from the current folder.
    mutating func read(_ name: String, at path: String, _ fileSystem: any FileSystem) -> File {
        if let index = known[path] { return files[index] }
        var file = File(path: path)
        do throws(CalendarProblem) {
            file.bytes = try bytes(of: path, named: name, fileSystem)
            let read = ICalendarReader.read(file.bytes, file: name)
            file.days = DayText.Days(once: read.once, again: read.again)
            file.problems = read.2
        } catch {
            file.failure = error
        }
        known[path] = files.count
        files.append(file)
        return file
    }

    private mutating func bytes(
        of path: String, named name: String, _ fileSystem: any FileSystem
    ) throws(CalendarProblem) -> [UInt8] {
        var bytes: [UInt8]
        do { bytes = try fileSystem.bytes(of: path) } catch { throw .file(name, error) }
        let limit = Limits.calendarBytes
        guard bytes.count <= limit else { throw .file(name, .tooLarge(limit: limit)) }
        size += bytes.count
        guard size <= Limits.manifestBytes else { throw .tooLargeTogether(limit: Limits.manifestBytes) }
        if bytes.starts(with: TextScan.byteOrderMark) { bytes.removeFirst(TextScan.byteOrderMark.count) }
        return bytes
    }

    /// The files that were read since the last call.
    mutating func fresh() -> ArraySlice<File> {
        defer { reported = files.count }
        return files[reported...]
    }
}
