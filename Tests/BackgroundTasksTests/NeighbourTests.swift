import Foundation
import Testing

@testable import BackgroundTasks

/// The parts of UIKit that files for iOS use beside BackgroundTasks.
@MainActor @Suite(.serialized) struct NeighbourTests {
    private func folder(_ files: [String: String]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lull-\(UUID().uuidString)").path
        for (name, text) in files {
            let file = folder + "/" + name
            try FileManager.default.createDirectory(
                atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try text.write(toFile: file, atomically: true, encoding: .utf8)
        }
        return folder
    }

    final class Registering: UIResponder, UIApplicationDelegate {
        let refused = Left<String>()

        func application(
            _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
        ) {
            refused.leave(error.localizedDescription)
        }
    }

    @Test func `who registers for pushes is told what the operator can do`() async throws {
        let app = UIApplication.shared
        let delegate = Registering()
        app.delegate = delegate
        app.registerForRemoteNotifications()
        let sentence = try await delegate.refused.next()
        #expect(sentence == RemoteNotificationRefusal(app: "").sentence)
        #expect(sentence.contains("`push: {}`"))
        let named = RemoteNotificationRefusal(app: "com.example.Feed").sentence
        #expect(named.hasPrefix("com.example.Feed takes no pushes"))
        #expect(!app.isRegisteredForRemoteNotifications)
    }

    @Test func `nothing is opened, and what has no effect is kept`() async throws {
        let app = UIApplication.shared
        let url = try #require(URL(string: "https://example.com"))
        #expect(!app.canOpenURL(url))
        #expect(await !app.open(url))
        let answer = Left<Bool>()
        app.open(url) { answer.leave($0) }
        #expect(try await !answer.next())
        app.isIdleTimerDisabled = true
        #expect(app.isIdleTimerDisabled)
        app.shortcutItems = [UIApplicationShortcutItem(type: "a", localizedTitle: "b")]
        #expect(app.shortcutItems?.first?.type == "a")
        #expect(UIScreen.main.bounds == .zero)
    }

    @Test func `what has no effect is said once`() {
        let name = "a name \(UUID())"
        #expect(WithoutEffect.isNew(name))
        #expect(!WithoutEffect.isNew(name))
    }

    @Test func `the device says what the machine says`() {
        let device = UIDevice.current
        #expect(device.systemName == "Linux")
        #expect(device.systemVersion.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
        #expect(!device.name.isEmpty && !device.model.isEmpty)
        #expect(device.identifierForVendor == nil, "this process is no worker")
        device.isBatteryMonitoringEnabled = false
        #expect(device.batteryLevel == -1 && device.batteryState == .unknown)
    }

    @Test(arguments: [
        ("Discharging", UIDevice.BatteryState.unplugged), ("Charging", .charging),
        ("Not charging", .charging),
        ("Full", .full), ("Unknown", .unknown),
    ])
    func `the battery is the machine's own`(status: String, state: UIDevice.BatteryState) throws {
        let supplies = try folder([
            "AC/type": "Mains\n", "BAT0/type": "Battery\n", "BAT0/capacity": "80\n",
            "BAT0/status": status + "\n", "A-mouse/type": "Battery\n", "A-mouse/scope": "Device\n",
            "A-mouse/capacity": "5\n",
        ])
        defer { try? FileManager.default.removeItem(atPath: supplies) }
        #expect(Battery.read(supplies) == Battery(share: 0.8, state: state))
        #expect(Battery.read("/nowhere") == nil)
    }

    @Test func `an app's identifier on a machine stays the same, and is none where it can't be kept`() throws
    {
        let home = try folder(["Documents/note": ""])
        defer { try? FileManager.default.removeItem(atPath: home) }
        let first = try #require(VendorIdentifier.kept(in: home))
        #expect(VendorIdentifier.kept(in: home) == first)
        #expect(VendorIdentifier.kept(in: "/proc/nowhere") == nil)
    }
}
