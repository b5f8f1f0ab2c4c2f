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

    @Option(
        help: ArgumentHelp(
            "A header in which a proxy names the person who acts, for the history.",
            discussion:
                "Only believed with a right token, which the proxy adds. The proxy has to replace what a client sends in it.",
            valueName: "name"))
    package var httpUserHeader: String?

    package init() {}

    package func validate() throws {
        guard let name = httpUserHeader else { return }
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isOfHeader) else {
            throw ValidationError("'\(name)' is no name of a header. Write one such as X-Remote-User.")
        }
        guard !Self.secret.contains(name.lowercased()) else {
            throw ValidationError(
                "\(name) holds a secret, which the history would show. Name a header of the proxy's own, such as X-Remote-User."
            )
        }
    }

    private static let secret: Set<String> = ["authorization", "proxy-authorization", "cookie"]

    private static func isOfHeader(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isLetter && byte < 0x80 || (0x30...0x39).contains(byte)
            || "-_".utf8.contains(byte)
    }

    /// Whether there is an option that means nothing without a page.
    package var isGiven: Bool { httpOpen || !httpName.isEmpty || httpUserHeader != nil }

    /// Refuses an address that others can reach, unless `--http-open` allows it.
    package func check(_ address: WebAddress) throws(WebError) {
        guard address.isLoopback || httpOpen else { throw .notLoopback(address) }
    }

    /// As arguments for another process.
    package var arguments: [String] {
        (httpOpen ? ["--http-open"] : []) + httpName.flatMap { ["--http-name", $0] }
            + (httpUserHeader.map { ["--http-user-header", $0] } ?? [])
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
