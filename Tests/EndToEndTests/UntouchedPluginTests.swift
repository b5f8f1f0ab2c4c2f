import Foundation
import TestSupport
import Testing

/// An app for iOS of several files, with its imports unchanged, in a worker.
struct UntouchedPluginTests {
    /// Built as SwiftPM does with `packaging/sdk`, but with the modules that are built beside these tests.
    private func workshop() throws -> Workshop {
        let workshop = try Workshop()
        let compiler = try SDKCompiler(workshop, modules: ["UIKit", "SwiftUI", "os", "OSLog", "Network"])
        try compiler.link(
            "Tests/Fixtures/Untouched", as: "plugins/libUntouched.so", "-emit-library", "-module-name",
            "Untouched",
            "-swift-version", "5")
        try workshop.write(
            """
            version: 1
            apps:
              com.example.Untouched:
                plugin: Untouched
                idle_after: never
                notifications: true
                tasks:
                  refresh: { kind: refresh }
            """, to: "jobs.yaml")
        return workshop
    }

    @Test func `files for iOS with their imports untouched are launched, log and are told of their scene`()
        throws
    {
        let workshop = try workshop()
        let host = try workshop.start("run", "jobs.yaml")
        // A call without effect is named once, at the app's discovery.
        try host.waitForLine(containing: "takes no pushes here")
        try host.waitForLine(containing: "UIApplication.isIdleTimerDisabled has no effect here")
        try host.waitForLine(containing: "[app] launched with 0 options")
        try host.waitForLine(containing: "connected UIWindowSceneSessionRoleApplication")
        // The scene's delegate submits it.
        try host.waitForLine(containing: "submitted com.example.Untouched.refresh")
        try host.waitForLine(containing: "discovered com.example.Untouched")
        #expect(host.said.components(separatedBy: "isIdleTimerDisabled has no effect").count == 2)
        #expect(try workshop.lull("launch", "com.example.Untouched.refresh").status == 0)
        let run = try workshop.lull("history", "--run", "1").output
        #expect(run.contains("[background] refreshing 3 feeds of <private>, of somebody"), "\(run)")
        #expect(run.contains("[background] on Linux "), "\(run)")
        #expect(run.contains(", 1 scene"), "\(run)")
        #expect(run.contains("[background] unmetered: "), "\(run)")
        let waiting = try workshop.lull("notifications", "com.example.Untouched").output
        #expect(waiting.contains("feeds") && waiting.contains("3 feeds are new"), "\(waiting)")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }
}
