import ArgumentParser
import LullWeb

/// Where the page is served, and for whom.
struct WebOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Let the page be reached from other machines.",
            discussion:
                "It then shows nothing without its token. Nothing is encrypted: put a proxy with TLS before it."
        ))
    var httpOpen = false

    @Option(
        help: ArgumentHelp(
            "A name under which the page is called; may be given more than once.",
            discussion:
                "Else by its address or as localhost, so that no foreign page can lead here under its own name.",
            valueName: "name"))
    var httpName: [String] = []

    /// Refuses an address that others can reach, unless that is meant.
    func check(_ address: WebAddress) throws(WebError) {
        guard address.isLoopback || httpOpen else { throw .notLoopback(address) }
    }

    /// As arguments for another process.
    var arguments: [String] {
        (httpOpen ? ["--http-open"] : []) + httpName.flatMap { ["--http-name", $0] }
    }
}

/// An address on the command line.
struct WebAddressArgument: ExpressibleByArgument, CustomStringConvertible {
    let address: WebAddress

    var description: String { address.text }

    init(_ address: WebAddress) { self.address = address }

    init?(argument: String) {
        guard let address = try? WebAddress(argument) else { return nil }
        self.address = address
    }
}
