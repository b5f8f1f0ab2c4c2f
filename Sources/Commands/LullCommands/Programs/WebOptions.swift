import ArgumentParser
import LullControl

/// Whether other machines may reach the page, and under which names.
package struct WebOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Let the page be reached from other machines.",
            discussion:
                "The page then shows nothing without its token. It is not encrypted: put a TLS proxy in front of it."
        ))
    package var httpOpen = false

    @Option(
        help: ArgumentHelp(
            "A host name of the page, beside localhost; may be given more than once.",
            discussion:
                "Lull refuses requests for other names, so that no foreign page can reach it under a name of its own.",
            valueName: "name"))
    package var httpName: [String] = []

    package init() {}

    /// Refuses an address that others can reach, unless `--http-open` allows it.
    package func check(_ address: WebAddress) throws(WebError) {
        guard address.isLoopback || httpOpen else { throw .notLoopback(address) }
    }

    /// As arguments for another process.
    package var arguments: [String] {
        (httpOpen ? ["--http-open"] : []) + httpName.flatMap { ["--http-name", $0] }
    }
}

/// An address on the command line.
package struct WebAddressArgument: ExpressibleByArgument, CustomStringConvertible {
    package let address: WebAddress

    package var description: String { address.text }

    package init(_ address: WebAddress) { self.address = address }

    package init?(argument: String) {
        guard let address = try? WebAddress(argument) else { return nil }
        self.address = address
    }
}
