import LullModel

/// The files of one manifest, read one after the other into one value; every problem keeps its file.
///
/// The main file comes first, then the files that it includes, in the order of its patterns and then of the names. The main
/// file's `defaults` hold in all of them, an included file's own `defaults` for its own apps.
struct ManifestAssembly {
    private let pluginPath: [String]
    private let fileSystem: any FileSystem
    private let zoneFolder: String
    private let inForce: () -> Manifest?
    private var manifest: Manifest
    private var diagnostics: [Diagnostic] = []
    private var known = KnownIdentifiers()
    private var inherited = Inherited()
    private var calendars = CalendarFiles()
    private var isCut = false
    private var hasFleet = false
    private var size = 0

    /// The number of problems of all files that are listed; after that whole files are counted.
    private static let diagnosticLimit = 2 * Problems.limit

    init(
        path: String, pluginPath: [String], fileSystem: any FileSystem, zoneFolder: String,
        inForce: @escaping () -> Manifest?
    ) {
        self.inForce = inForce
        manifest = Manifest(path: path)
        self.pluginPath = pluginPath
        self.fileSystem = fileSystem
        self.zoneFolder = zoneFolder
    }

    /// There is a manifest exactly when no diagnostic is an error.
    private var result: ManifestResult {
        let isValid = !isCut && !diagnostics.contains { $0.severity == .error }
        return ManifestResult(
            manifest: isValid ? manifest : nil, diagnostics: diagnostics, draft: isCut ? nil : manifest)
    }

    /// Makes the checks that need all files.
    mutating func finish() -> ManifestResult {
        let lonely = manifest.lonelyGroups.compactMap { group in
            known.groups[group.name].map { place in
                var place = place
                place.problem = .sense(.groupAlone(group.name, nearest: group.nearest))
                return place
            }
        }
        insert(known.brokenChains() + lonely)
        // A host of a fleet may have no apps.
        if manifest.apps.isEmpty, manifest.fleet == nil, result.manifest != nil,
            let count = inForce()?.apps.count, count > 0
        {
            add(.sense(.lostApps(count: count)), path: manifest.path)
        }
        return result
    }

    /// Inserts each after what comes before it in its file.
    private mutating func insert(_ late: [Diagnostic]) {
        guard !late.isEmpty else { return }
        func isOrdered(_ first: Diagnostic, _ second: Diagnostic) -> Bool {
            (first.line, first.column) < (second.line, second.column)
        }
        let files = Dictionary(grouping: late.indices) { late[$0].path }
        for (path, indices) in files.sorted(by: { $0.value[0] < $1.value[0] }) {
            let own = indices.map { late[$0] }.sorted(by: isOrdered)
            var next = own.endIndex
            // From the end, so that the indices before stay right.
            for place in diagnostics.indices.reversed() where diagnostics[place].path == path {
                let first = own[..<next].firstIndex { !isOrdered($0, diagnostics[place]) } ?? next
                guard first < next else { continue }
                diagnostics.insert(contentsOf: own[first..<next], at: place + 1)
                next = first
            }
            diagnostics += own[..<next]
        }
    }

    /// Reads a manifest that the hosts of a fleet share.
    mutating func readShared(_ text: [UInt8], path: String) {
        hasFleet = true
        read(text, path: path, isIncluded: true)
    }

    /// Reads `jobs.yaml`, if it exists, and `jobs.d/*.yaml`.
    mutating func readFolder(_ path: String) {
        let main = Path.join(path, "jobs.yaml")
        let more = Path.join(path, "jobs.d")
        let (hasMain, hasMore) = (
            fileSystem.entry(at: main) != nil, fileSystem.entry(at: more)?.kind == .folder
        )
        guard hasMain || hasMore else { return add(.file(.isFolder), path: path) }
        // A `jobs.yaml` that was read before and is gone is an error, as for a manifest that is a file.
        let wasThere = inForce()?.files.contains { Path.join(fileSystem.currentFolder, $0) == main } ?? false
        if hasMain || wasThere { readFile(main) }
        manifest.includePatterns.append(Path.join(more, "*.yaml"))
        let pattern = IncludePattern("jobs.d/*.yaml", in: path)
        guard hasMore || vanished(pattern) != nil else { return }
        switch found(by: pattern) {
        case .success(let files): for file in files { readFile(file, isIncluded: true) }
        case .failure(let problem): add(.include(problem), path: more)
        }
        if manifest.apps.isEmpty, diagnostics.isEmpty { add(.sense(.noApps), path: path) }
    }

    mutating func readFile(_ path: String, isIncluded: Bool = false) {
        guard !manifest.files.contains(path) else { return }
        do throws(FileProblem) {
            read(try fileSystem.bytes(of: path), path: path, isIncluded: isIncluded)
        } catch {
            add(.file(error), path: path)
            manifest.files.append(path)
        }
    }

    mutating func read(_ text: [UInt8], path: String, isIncluded: Bool = false) {
        manifest.files.append(path)
        size += text.count
        guard size <= Limits.manifestBytes else {
            return add(.file(.tooLarge(limit: Limits.manifestBytes)), path: path)
        }
        addToHash(text, path: path)
        let hasMark = text.starts(with: TextScan.byteOrderMark)
        let source = hasMark ? Array(text.dropFirst(TextScan.byteOrderMark.count)) : text
        var problems = Problems()
        for (problem, span) in TextScan.problems(in: source) { problems.add(.text(problem), at: span) }
        guard !problems.hasErrors else { return report(problems, cut: nil, source: source, path: path) }

        var parser = DocumentParser(source)
        parser.parse()
        problems.add(parser.problems)
        let document = parser.document
        if document.root.map(document.isEmpty) ?? true, parser.cut == nil {
            problems.add(.file(.empty), at: Span(line: 0, column: 0, count: 0))
            return report(problems, cut: nil, source: source, path: path)
        }
        decode(document, problems, cut: parser.cut, source: source, path: path, isIncluded: isIncluded)
    }

    private mutating func addToHash(_ text: [UInt8], path: String) {
        let hash = ManifestReader.hash(text)
        // The hash of a single file is the file's own.
        manifest.hash =
            manifest.hash.isEmpty ? hash : ManifestReader.hash(Array("\(manifest.hash) \(path) \(hash)".utf8))
    }

    private mutating func decode(
        _ document: Document, _ parsed: Problems, cut: Mark?, source: [UInt8], path: String, isIncluded: Bool
    ) {
        let folder = Path.join(fileSystem.currentFolder, Path.folder(of: path))
        var decoder = ManifestDecoder(
            document, source: source, file: path, otherFile: path == manifest.path ? nil : path,
            isIncluded: isIncluded,
            inherited: inherited, folder: folder, fileSystem: fileSystem,
            plugins: PluginSearch(pluginPath: pluginPath, folder: folder, fileSystem: fileSystem),
            zones: ZoneNames(folder: zoneFolder, fileSystem: fileSystem))
        decoder.known = known
        decoder.calendars = calendars
        (decoder.hasFleet, decoder.fleet) = (hasFleet, manifest.fleet)
        decoder.read(into: &manifest)
        known = decoder.known
        hasFleet = decoder.hasFleet
        var files: [String] = []
        for (pattern, node) in decoder.includes {
            let pattern = IncludePattern(pattern, in: Path.folder(of: path))
            if let watched = pattern.watched { manifest.includePatterns.append(watched) }
            switch found(by: pattern) {
            case .success([path]) where pattern.watched == nil: decoder.add(.include(.itself), at: node)
            case .success(let found): files += found
            case .failure(let problem): decoder.add(.include(problem), at: node)
            }
        }
        if !isIncluded, let path = manifest.fleet?.follow {
            // Watched, so that it is read when it appears.
            manifest.includePatterns.append(path)
            if fileSystem.entry(at: path) != nil { files.append(path) }
        }
        if files.count > Limits.manifestFiles, let (_, node) = decoder.includes.first {
            decoder.add(.include(.tooMany(limit: Limits.manifestFiles)), at: node)
            files = []
        }
        var problems = parsed
        problems.add(decoder.problems)
        report(problems, cut: cut, source: source, path: path)
        calendars = decoder.calendars
        for file in calendars.fresh() {
            // Also a file that is missing, so that it is read when it appears.
            if !manifest.files.contains(file.path) { manifest.files.append(file.path) }
            addToHash(file.bytes, path: file.path)
            report(file.problems, cut: nil, source: file.bytes, path: file.path)
        }
        guard !isIncluded else { return }
        inherited = decoder.inherited
        for file in files { readFile(file, isIncluded: true) }
    }

    /// The files that match; fails if none does and the pattern matched files of the manifest in force.
    private func found(by pattern: IncludePattern) -> Result<[String], IncludeProblem> {
        let found = pattern.files(fileSystem)
        switch found {
        case .success([]), .failure(.noFolder): return vanished(pattern).map(Result.failure) ?? found
        case .success, .failure: return found
        }
    }

    private func vanished(_ pattern: IncludePattern) -> IncludeProblem? {
        let count = pattern.count(in: inForce()?.files ?? [], from: fileSystem.currentFolder)
        return count > 0 ? .vanished(pattern.text, count: count) : nil
    }

    private mutating func add(_ problem: ManifestProblem, path: String) {
        diagnostics.append(Diagnostic(path: path, problem: problem))
    }

    private mutating func report(_ problems: Problems, cut: Mark?, source: [UInt8], path: String) {
        isCut = isCut || cut != nil
        var lines = SourceLines(source)
        var unreported = problems.unreported
        for problem in problems.inOrder(before: cut) {
            guard diagnostics.count < Self.diagnosticLimit else {
                unreported += 1
                continue
            }
            let (start, end) = (problem.span.start, problem.span.end)
            var diagnostic = Diagnostic(
                path: path, line: Int(start.line) + 1, column: Int(start.column) + 1,
                endColumn: end.line == start.line && end.column > start.column ? Int(end.column) + 1 : nil,
                problem: problem.fact)
            let (text, column) = lines.excerpt(around: start)
            // UTF-16 as UTF-8 is a line of garbage.
            if !source.isEmpty, problem.fact != .text(.utf16), problem.fact != .text(.binary) {
                diagnostic.sourceLine = text
                diagnostic.sourceColumn = column + 1
            }
            diagnostics.append(diagnostic)
        }
        if unreported > 0 { add(.structure(.tooManyProblems(unreported: unreported)), path: path) }
    }
}
