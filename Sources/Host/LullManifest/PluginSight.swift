public import LullModel

/// A plugin's file as it is at the start of its worker: still there, still nobody else's, and which one it is.
///
/// The worker loads that very file or none. So what was judged is what is loaded, also long after the manifest was read.
public enum PluginSight {
    public struct Refusal: Error, Sendable, Equatable {
        public let sentence: String
        /// There is no such file now: it may be on a share that is away, or being put in place.
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

    /// Why the executable that is to load it can't be trusted; nil: it can.
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
