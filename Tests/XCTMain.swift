import Foundation
import Testing

/// The test product's entry point. SwiftPM takes it as it is, because of its name. Without one SwiftPM searches an index store for
/// tests of XCTest: here are none, and an index store costs every build.
@main
struct TestRunner {
    static func main() async {
        // SwiftPM starts a product with an entry point for XCTest alone, unless it is told otherwise.
        guard CommandLine.arguments.contains("swift-testing") else {
            let words = """
                error: these tests use Swift Testing alone. Run them with `make test`, or with \
                `packaging/run-tests swift test --filter X` (which adds --enable-swift-testing --disable-xctest).

                """
            FileHandle.standardError.write(Data(words.utf8))
            exit(64)
        }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
