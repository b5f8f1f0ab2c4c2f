import Foundation
import TestSupport
import Testing

/// Whether a process that an app starts may command the host that runs the app.
struct AppAsClientTests {
    /// Runs `lull` in an app's task, as `command` says; `LULL` stands for it with this workshop's state.
    private func workshop(_ command: String, limits: String = "") throws -> Workshop {
        let workshop = try Workshop()
        let lull = Workshop.products.appendingPathComponent("lull").path
        let text = command.replacingOccurrences(of: "LULL", with: lull)
            .replacingOccurrences(of: "STATE", with: "--state \(workshop.state)")
        try workshop.write("#!/bin/sh\n\(text)\n", to: "ask")
        try workshop.write(
            """
            version: 1
            apps:
              com.example.App:
                plugin: \(Workshop.shipped("Command"))
                idle_after: never
                \(limits)
                tasks:
                  ask:
                    kind: processing
                    requires: { idle: false }
                    settings: { run: "sh \(workshop.folder)/ask" }

            """, to: "jobs.yaml")
        return workshop
    }

    private func said(_ workshop: Workshop) throws -> (status: Int32, words: String) {
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.App")
        let result = try workshop.lull("launch", "com.example.App.ask")
        let words = try workshop.lull("history", "--run", "1").output
        host.send(SIGTERM)
        #expect(host.end() == 0)
        return (result.status, words)
    }

    @Test(arguments: ["LULL disable com.example.App STATE", "setsid -w LULL disable com.example.App STATE"])
    func `what an app starts is not heard by its host, and told why`(command: String) throws {
        // An account of the app's own can't reach the socket at all.
        let workshop = try workshop(command, limits: "user: host")
        let (status, words) = try said(workshop)
        #expect(status == 1)
        // Where the app can't even see the state, it hears of no host.
        #expect(words.contains("was started by com.example.App, and may not command the host"), "\(words)")
        #expect(try !workshop.lull("history").output.contains("disabled"))
    }

    @Test func `an app that may do all that its user may commands the host too`() throws {
        let workshop = try workshop(
            "LULL used com.example.App STATE", limits: "limits: { privileges: keep }")
        let (status, words) = try said(workshop)
        #expect(status == 0, "\(words)")
        #expect(try workshop.lull("history", "--event", "used").output.contains("com.example.App"))
    }
}
