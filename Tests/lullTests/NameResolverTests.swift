import LullModel
import Testing

@testable import lull

/// Tasks and apps by the names that people give them.
struct NameResolverTests {
    private let names = NameResolver(
        tasks: [
            "com.example.News.refresh", "com.example.Mail.refresh", "com.example.Mail.backup",
            "com.example.Mail.export.*",
        ]
        .compactMap { TaskIdentifier($0) },
        apps: ["com.example.News", "com.example.Mail"].compactMap { AppIdentifier($0) })

    @Test func `an identifier is itself, and an end that only one has is that one`() throws {
        #expect(try names.task("com.example.News.refresh").text == "com.example.News.refresh")
        #expect(try names.task("backup").text == "com.example.Mail.backup")
        #expect(try names.task("News.refresh").text == "com.example.News.refresh")
        #expect(try names.app("Mail").text == "com.example.Mail")
        #expect(try names.task("com.example.Mail.export.7").text == "com.example.Mail.export.7")
    }

    @Test func `one that several have lists them`() {
        #expect {
            try names.task("refresh")
        } throws: { error in
            "\(error)"
                == "refresh is the name of 2. Write which one you mean:\n  com.example.News.refresh\n  com.example.Mail.refresh"
        }
    }

    @Test func `one that nobody has is answered with the nearest`() {
        #expect {
            try names.task("bakcup")
        } throws: {
            "\($0)" == "No task is called bakcup. Did you mean com.example.Mail.backup?"
        }
        #expect {
            try names.app("Nwes")
        } throws: {
            "\($0)".hasPrefix("No app is called Nwes. Did you mean com.example.News?")
        }
    }

    @Test func `a command for both finds either`() throws {
        #expect(try names.taskOrApp("Mail").scope == .app(#require(AppIdentifier("com.example.Mail"))))
        #expect(
            try names.taskOrApp("backup").scope == .task(#require(TaskIdentifier("com.example.Mail.backup"))))
    }
}
