import LullModel

/// Reads `jobs.yaml`: bytes → a typed, valid manifest, or every problem with its place and remedy.
///
/// The steps each stop what the next could not bear: the file, its bytes, YAML's syntax, and then all that
/// the keys mean, which is checked to the end whatever is found.
public struct ManifestReader: Sendable {
    private let pluginPath: [String]
    private let fileSystem: any FileSystem
    private let zoneFolder: String

    /// `pluginPath`: the folders in which plugins are looked up by name, in this order.
    public init(
        pluginPath: [String], fileSystem: any FileSystem = LocalFileSystem(),
        zoneFolder: String = "/usr/share/zoneinfo"
    ) {
        self.pluginPath = pluginPath
        self.fileSystem = fileSystem
        self.zoneFolder = zoneFolder
    }

    public func read(path: String) -> ManifestResult {
        do throws(FileProblem) {
            return read(text: try ManifestFile.bytes(at: path, fileSystem: fileSystem), path: path)
        } catch {
            return ManifestResult(manifest: nil, diagnostics: [Diagnostic(path: path, problem: .file(error))])
        }
    }

    /// `path` is the file's name in messages, and relative paths in the manifest start from its folder.
    public func read(text: [UInt8], path: String) -> ManifestResult {
        guard text.count <= Limits.manifestBytes else {
            let problem = ManifestProblem.file(.tooLarge(limit: Limits.manifestBytes))
            return ManifestResult(manifest: nil, diagnostics: [Diagnostic(path: path, problem: problem)])
        }
        let hasMark = text.starts(with: TextScan.byteOrderMark)
        let source = hasMark ? Array(text.dropFirst(TextScan.byteOrderMark.count)) : text
        var problems = Problems()
        for (problem, span) in TextScan.problems(in: source) { problems.add(.text(problem), at: span) }
        guard !problems.hasErrors else { return result(nil, problems, cut: nil, source: source, path: path) }

        var parser = DocumentParser(source)
        parser.parse()
        problems.add(parser.problems)
        let document = parser.document
        if document.root.map(document.isEmpty) ?? true, parser.cut == nil {
            problems.add(.file(.empty), at: Span(line: 0, column: 0, count: 0))
            return result(nil, problems, cut: nil, source: source, path: path)
        }
        let folder = Path.join(fileSystem.currentFolder, Path.folder(of: path))
        var decoder = ManifestDecoder(
            document, folder: folder, fileSystem: fileSystem,
            plugins: PluginSearch(pluginPath: pluginPath, folder: folder, fileSystem: fileSystem),
            zones: ZoneNames(folder: zoneFolder, fileSystem: fileSystem))
        let manifest = decoder.manifest(path: path, hash: Self.hash(text))
        problems.add(decoder.problems)
        return result(manifest, problems, cut: parser.cut, source: source, path: path)
    }

    private func result(
        _ manifest: Manifest?, _ problems: Problems, cut: Mark?, source: [UInt8], path: String
    ) -> ManifestResult {
        var lines = SourceLines(source)
        var diagnostics: [Diagnostic] = []
        for problem in problems.inOrder(before: cut) {
            let (start, end) = (problem.span.start, problem.span.end)
            var diagnostic = Diagnostic(
                path: path, line: Int(start.line) + 1, column: Int(start.column) + 1,
                endColumn: end.line == start.line && end.column > start.column ? Int(end.column) + 1 : nil,
                problem: problem.fact)
            let (text, column) = lines.excerpt(around: start)
            // UTF-16 as UTF-8 is a line of garbage.
            if !source.isEmpty, problem.fact != .text(.utf16) {
                diagnostic.sourceLine = text
                diagnostic.sourceColumn = column + 1
            }
            diagnostics.append(diagnostic)
        }
        if problems.unreported > 0 {
            let problem = ManifestProblem.structure(.tooManyProblems(unreported: problems.unreported))
            diagnostics.append(Diagnostic(path: path, problem: problem))
        }
        let isValid = !diagnostics.contains { $0.severity == .error } && cut == nil
        return ManifestResult(manifest: isValid ? manifest : nil, diagnostics: diagnostics)
    }

    /// FNV-1a of 64 bits: tells texts apart, and protects against nothing.
    static func hash(_ text: [UInt8]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// A manifest and what there is to say of it; there is a manifest exactly when no diagnostic is an error.
public struct ManifestResult: Sendable {
    public var manifest: Manifest?
    /// In the file's order.
    public var diagnostics: [Diagnostic]

    public init(manifest: Manifest?, diagnostics: [Diagnostic]) {
        self.manifest = manifest
        self.diagnostics = diagnostics
    }
}
