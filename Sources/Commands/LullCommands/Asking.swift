import ArgumentParser
import Foundation
import LullControl
import LullHistory
import LullHost
import LullModel

/// A command that asks the running host or, when none runs, the state that it left.
package protocol Asking {
    var options: StateOptions { get }
    var manifest: String? { get }
}

extension Asking {
    /// A refusal ends the command with its sentence.
    package func ask<Q: Question>(_ question: Q) throws -> Q.Answer {
        switch try answer(to: question) {
        case .success(let answer): return answer
        case .failure(let refusal): throw Failure(options.remedy(refusal.sentence))
        }
    }

    /// `bearer`: of an act over the page.
    package func answer<Q: Question>(
        to question: Q, for bearer: Bearer? = nil
    ) throws -> Result<Q.Answer, ControlRefusal> {
        let folder = try options.checkedFolder()
        // A host that has just started holds the state, but does not listen yet.
        for _ in 0..<200 {
            if let answer = try answer(question, bearer, folder, isLast: false) { return answer }
            poll(nil, 0, 50)
        }
        guard let answer = try answer(question, bearer, folder, isLast: true) else {
            throw Failure("The host that uses \(folder.path) does not listen. Check whether it is stopped.")
        }
        return answer
    }

    /// Nil when a host holds the state and does not listen yet.
    private func answer<Q: Question>(
        _ question: Q, _ bearer: Bearer?, _ folder: StateFolder, isLast: Bool
    ) throws -> Result<Q.Answer, ControlRefusal>? {
        do throws(ControlError) {
            let client = try ControlClient(stateFolder: folder.path)
            options.noteConditions()
            return .success(try client.ask(question, for: bearer))
        } catch .refused(let sentence) {
            return .refused(sentence)
        } catch .busy(let sentence, let wait) {
            return .failure(ControlRefusal(sentence, wait: wait))
        } catch .notRunning {
            let manifest = try options.readManifest(
                options.manifestOfState(manifest), showsWarnings: false)
            if Q.self is any Order.Type || Q.self is Ask.ImportEvents.Type {
                options.noteOtherHost(running: manifest.path)
            }
            let offline = OfflineHost(state: folder, manifest: manifest, roots: options.roots)
            do {
                return try offline.answer(question, for: bearer)
            } catch {
                if error.isHeld, !isLast { return nil }
                throw Failure(options.remedy(error.message))
            }
        } catch {
            throw Failure(options.remedy(error.message))
        }
    }

    /// The status of the host that runs, or of the manifest that would be run.
    package func status(of scope: Pause.Scope = .all, isBrief: Bool = false) throws -> StatusReport {
        try ask(Ask.Report(of: scope, isBrief: isBrief))
    }

    package func tell(_ order: some Order, json: Bool = false) throws {
        let said = try ask(order)
        let sentence = options.remedy(said.sentence)
        guard json else { return Output.answer(sentence) }
        try Output.json(DoneJSON(said, until: order.end?.rfc3339, message: sentence))
    }
}

/// A command that failed: the sentence goes to standard error, and the exit code is 1.
package struct Failure: Error, CustomStringConvertible {
    package let sentence: String
    /// The parser prints "Error:" before the sentence, so the "error:" behind a place is left out.
    package init(_ sentence: String) {
        let first = sentence.prefix { $0 != "\n" }
        guard let label = first.range(of: ": error: ") else {
            self.sentence = sentence
            return
        }
        self.sentence = sentence.replacingCharacters(in: label, with: ": ")
    }
    /// Some sentences quote a plugin or a foreign file.
    package var description: String { sentence.terminalSafeLines }
}

extension AppIdentifier: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
    public static var defaultCompletionKind: CompletionKind {
        .custom { words, _, _ in KnownNames(words).apps }
    }
}
