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

    @Test(arguments: ["com.example.News", "News"])
    func `an app where a task is wanted is answered with its tasks`(name: String) {
        #expect {
            try names.task(name)
        } throws: {
            "\($0)" == "com.example.News is an app. Name one of its tasks:\n  com.example.News.refresh"
        }
    }

    @Test func `where several apps end so, they are listed`() {
        let names = NameResolver(
            tasks: [], apps: ["com.example.News", "org.example.News"].compactMap { AppIdentifier($0) })
        #expect {
            try names.task("News")
        } throws: {
            "\($0)".hasPrefix("News could be any of 2. Write which one you mean:\n  com.example.News\n")
        }
    }

    @Test func `one that several have lists them`() {
        #expect {
            try names.task("refresh")
        } throws: { error in
            "\(error)"
                == "refresh could be any of 2. Write which one you mean:\n  com.example.News.refresh\n  com.example.Mail.refresh"
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

    @Test func `several that hold it are listed with commas`() {
        let names = NameResolver(
            tasks: ["r.one", "r.two", "r.three"].compactMap { TaskIdentifier("com.example.News." + $0) },
            apps: [])
        #expect {
            try names.task("ews")
        } throws: {
            "\($0)".contains(
                "Did you mean com.example.News.r.one, com.example.News.r.two or com.example.News.r.three?")
        }
    }

    @Test func `one that only the history knows is found by its end, after those of the manifest`() throws {
        var names = names
        names.past = {
            ["com.example.Mail.gone", "com.example.Old.backup"].compactMap { TaskIdentifier($0) }
        }
        #expect(try names.task("gone").text == "com.example.Mail.gone")
        #expect(try names.taskOrApp("gone").scope == .task(#require(TaskIdentifier("com.example.Mail.gone"))))
        #expect(try names.task("backup").text == "com.example.Mail.backup")
    }

    @Test func `a command for both finds either`() throws {
        #expect(try names.taskOrApp("Mail").scope == .app(#require(AppIdentifier("com.example.Mail"))))
        #expect(
            try names.taskOrApp("backup").scope == .task(#require(TaskIdentifier("com.example.Mail.backup"))))
    }
}
