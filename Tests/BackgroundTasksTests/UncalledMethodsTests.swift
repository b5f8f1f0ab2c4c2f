import Foundation
import TestSupport
import Testing

@testable import BackgroundTasks

@Suite struct UncalledMethodsTests {
    private let adoption =
        "protocol conformance descriptor for Feed.Base : BackgroundTasks.UIApplicationDelegate in Feed"
    private let base = "Feed.Base."
    private let own = "Feed.AppDelegate."
    private let enter = "applicationDidEnterBackground(BackgroundTasks.UIApplication) -> ()"
    private let fetch =
        "application(_: BackgroundTasks.UIApplication, performFetchWithCompletionHandler: (BackgroundTasks.UIBackgroundFetchResult) -> ()) -> ()"

    private func sentences(_ symbols: [String]) -> [String] {
        UncalledMethods.sentences(of: ["Feed.AppDelegate", "Feed.Base"], symbols)
    }

    @Test func `what only a subclass of the adopting class has is named with its remedy`() {
        #expect(
            sentences([adoption, own + enter]) == [
                "Feed.AppDelegate.applicationDidEnterBackground(_:) is never called: Feed.Base adopts "
                    + "UIApplicationDelegate and lacks this method. Add it to Feed.Base, and `override` it in its subclass."
            ])
        #expect(sentences([adoption, own + fetch]).count == 1)
    }

    @Test func `what overrides a method of the adopting class is called, and not named`() {
        #expect(sentences([adoption, own + enter, base + enter]).isEmpty)
    }

    @Test func `a class that adopts the protocol itself has nothing to name`() {
        let adoption = adoption.replacing("Base", with: "AppDelegate")
        #expect(sentences([adoption, own + enter]).isEmpty)
        // Nor is anything known if the adopting class is in another library.
        #expect(sentences([own + enter]).isEmpty)
    }

    @Test func `the symbols of a file that is no library are none`() throws {
        #expect(SymbolTable.names(in: #filePath).isEmpty)
        #expect(SymbolTable.names(in: "/nowhere").isEmpty)
        let folder = try TemporaryFolder()
        try Data("int lull_answer(void) { return 42; }".utf8).write(
            to: URL(fileURLWithPath: folder.path + "/a.c"))
        try Command.run(["gcc", "-shared", "-o", "liba.so", "a.c"], in: folder.path)
        #expect(SymbolTable.names(in: folder.path + "/liba.so").contains("lull_answer"))
    }
}
