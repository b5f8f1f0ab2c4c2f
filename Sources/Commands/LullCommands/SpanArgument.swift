import ArgumentParser
import LullModel

/// A span on the command line, as the manifest writes it.
package struct SpanArgument: ExpressibleByArgument {
    package let span: Duration

    package init(span: Duration) { self.span = span }

    /// As `TimeArgument.told`.
    package static func told(_ text: String) throws -> SpanArgument {
        guard let span = SpanArgument(argument: text) else { throw Failure(TimeArgument.remedy(text)) }
        return span
    }

    package init?(argument: String) {
        guard let span = Duration(manifest: argument), span > .zero else { return nil }
        self.span = span
    }
}
