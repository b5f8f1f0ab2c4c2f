import Foundation

/// A chart on disk: an SVG as it is, or a PNG that `rsvg-convert` makes of it.
struct ChartFile {
    enum Format: String {
        case svg
        case png

        init?(path: String) {
            self.init(rawValue: URL(fileURLWithPath: path).pathExtension.lowercased())
        }
    }

    private let path: String
    private static let converter = "rsvg-convert"

    init(_ path: String) { self.path = path }

    func write(_ svg: String) throws {
        switch Format(path: path) {
        case .svg: try put(Data(svg.utf8))
        case .png: try put(convert(svg))
        case nil: throw Failure("'\(path)' is neither an .svg nor a .png. Name a file such as week.svg.")
        }
    }

    private func put(_ data: Data) throws {
        do {
            // Under another name first, so that nobody finds half a chart.
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? error
            let reason =
                (cause as? POSIXError).map { String(cString: strerror($0.code.rawValue)) }
                ?? cause.localizedDescription
            throw Failure(
                "Can't write \(path): \(reason). "
                    + "Name a file in a folder that is there and that you may write to.")
        }
    }

    /// Twice the size, for sharp print.
    private func convert(_ svg: String) throws -> Data {
        guard let program = Self.find(Self.converter) else {
            throw Failure(
                "A PNG needs the program \(Self.converter): `apt-get install librsvg2-bin`. "
                    + "Without it, name an .svg: every browser shows it.")
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lull-chart-" + UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, target) = (
            folder.appendingPathComponent("chart.svg"), folder.appendingPathComponent("chart.png")
        )
        try Data(svg.utf8).write(to: source)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["--zoom", "2", "--output", target.path, source.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, let png = try? Data(contentsOf: target) else {
            throw Failure(
                "\(program) could not draw \(path): \(said.trimmingCharacters(in: .whitespacesAndNewlines)) "
                    + "Name an .svg instead.")
        }
        return png
    }

    private static func find(_ program: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.map { $0 + "/" + program }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
