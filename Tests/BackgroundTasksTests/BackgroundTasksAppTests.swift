import BackgroundTasks
import Testing

@Suite struct BackgroundTasksAppTests {
    @MainActor final class Steps {
        static var taken: [String] = []
        static weak var app: WholeApp?
    }

    final class WholeApp: BackgroundTasksApp {
        func didFinishLaunching() {
            Steps.taken.append("finished launching")
            Steps.app = self
        }

        func didEnterBackground() { Steps.taken.append("entered background") }
    }

    struct SmallApp: BackgroundTasksApp {
        func didFinishLaunching() { Steps.taken.append("small") }
    }

    @MainActor @Test func `an app launches, enters the background and is kept`() {
        Steps.taken = []
        WholeApp.main()
        #expect(Steps.taken == ["finished launching", "entered background"])
        #expect(Steps.app != nil)
        SmallApp.main()
        #expect(Steps.taken.last == "small")
    }
}
