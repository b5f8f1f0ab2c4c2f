import ArgumentParser
import Foundation
import LullControl
import LullHost
import LullModel

/// A command that asks the running host or, when none runs, the state that it left.
protocol Asking {
    var options: StateOptions { get }
    var manifest: String? { get }
}

extension Asking {
    func ask(_ request: ControlRequest) throws -> ControlResponse {
        let folder = try options.checkedFolder()
        // A host that has just begun has the state, and does not listen yet.
        for _ in 0..<200 {
            if let response = try answer(request, folder, isLast: false) { return response }
            poll(nil, 0, 50)
        }
        guard let response = try answer(request, folder, isLast: true) else {
            throw Failure("The host that has \(folder.path) does not listen. See whether it is stopped.")
        }
        return response
    }

    /// Nil when a host has the state and does not listen yet.
    private func answer(
        _ request: ControlRequest, _ folder: StateFolder, isLast: Bool
    ) throws -> ControlResponse? {
        do throws(ControlError) {
            return try ControlClient(stateFolder: folder.path).ask(request)
        } catch .notRunning {
            let manifest = try options.readManifest(manifest, showsWarnings: false)
            let offline = OfflineHost(state: folder, manifest: manifest, roots: options.roots)
            do {
                return try offline.answer(request)
            } catch {
                if error.isHeld, !isLast { return nil }
                throw Failure(options.remedy(error.message))
            }
        } catch {
            throw Failure(options.remedy(error.message))
        }
    }

    /// Of the host that runs, or of the manifest that would be run.
    func status() throws -> StatusReport {
        switch try ask(.status) {
        case .status(let report): return report
        case .refused(let sentence): throw Failure(options.remedy(sentence))
        default: throw Failure("The host answered another question than the one it was asked.")
        }
    }

    /// For requests whose answer is a sentence.
    func tell(_ request: ControlRequest, json: Bool = false) throws {
        switch try ask(request) {
        case .done(let sentence):
            json ? try Output.json(["done": sentence]) : Output.answer(options.remedy(sentence))
        case .refused(let sentence): throw Failure(options.remedy(sentence))
        default: throw Failure("The host answered another question than the one it was asked.")
        }
    }
}

/// A command that could not do what it was asked: the sentence goes to standard error, and the exit code is 1.
struct Failure: Error, CustomStringConvertible {
    let sentence: String
    /// The parser says "Error:" before the sentence, so that a place's own "error:" is left out.
    init(_ sentence: String) {
        let first = sentence.prefix { $0 != "\n" }
        guard let label = first.range(of: ": error: ") else {
            self.sentence = sentence
            return
        }
        self.sentence = sentence.replacingCharacters(in: label, with: ": ")
    }
    /// What a plugin or a foreign file says is quoted in some.
    var description: String { sentence.harmlessLines }
}

extension AppIdentifier: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
    public static var defaultCompletionKind: CompletionKind {
        .custom { words, _, _ in KnownNames(words).apps }
    }
}
