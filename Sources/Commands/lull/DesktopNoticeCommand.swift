import ArgumentParser
import Foundation
import LullCommands
import LullNotices

/// Shows one notice on the desktop; the host starts it for each notice to the desktop.
struct DesktopNoticeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: StateOptions.desktopCommand,
        abstract: "Show a notice, read from standard input, on the desktop.",
        shouldDisplay: false)

    func run() throws {
        let text = String(decoding: try FileHandle.standardInput.readToEnd() ?? Data(), as: UTF8.self)
        guard let notice = DesktopNotice(json: text) else {
            throw Failure(
                "Standard input holds no notice. `lull notify test` tests all sinks.")
        }
        if let trouble = notice.show() { throw Failure(trouble) }
    }
}
