public import LullModel

/// Checks a plugin's file at the start of its worker: it still exists, nobody else can exchange it, and which file it is.
///
/// The worker loads that very file or none. So the file that was checked is loaded, also long after the manifest was read.
public enum PluginSight {
    public struct Refusal: Error, Sendable, Equatable {
        public let sentence: String
        /// Whether the file is missing now: it may be on a share that is away, or being put in place.
        public var isAbsence = false

        public init(sentence: String, isAbsence: Bool = false) {
            self.sentence = sentence
            self.isAbsence = isAbsence
        }
    }

    public static func look(
        at app: App, fileSystem: any FileSystem = LocalFileSystem()
    ) throws(Refusal) -> FileIdentity {
        guard let entry = fileSystem.entry(at: app.plugin) else {
            guard let target = fileSystem.target(ofLink: app.plugin) else {
                throw Refusal(
                    sentence: "There is no file '\(app.plugin)'. Build or install the plugin.",
                    isAbsence: true)
            }
            let problem = PluginProblem.danglingLink(path: app.plugin, target: target)
            throw Refusal(
                sentence: Self.sentence(problem.message) + " " + Self.sentence(problem.fix),
                isAbsence: true)
        }
        do throws(PluginSearch.Refusal) {
            try PluginSearch.check(app.plugin, entry, as: app.namedUser, fileSystem: fileSystem)
        } catch {
            let problem = ManifestProblem.plugin(error.problem)
            throw Refusal(sentence: Self.sentence(problem.message) + " " + Self.sentence(problem.fix))
        }
        return entry.identity
    }

    /// Why the executable that loads plugins can't be trusted; nil if it can.
    public static func refusal(ofWorker path: String) -> Refusal? {
        Breach.first(to: path).map { breach in
            let problem = "\(breach.message), and so decide what runs the plugins"
            return Refusal(sentence: Self.sentence(problem) + " " + Self.sentence(breach.fix))
        }
    }

    /// A clause as a sentence.
    private static func sentence(_ clause: String) -> String {
        clause.prefix(1).uppercased() + clause.dropFirst() + "."
    }
}
