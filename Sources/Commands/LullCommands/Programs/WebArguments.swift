import ArgumentParser
import LullControl

package struct WebArguments: CommandArguments {
    package static let program = "lull-page"
    package static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Serve a page that shows the host, and /metrics.",
        usage: "lull web [<options>]",
        discussion: """
            Serves the same as `lull run --http`, but without being the host: it shows the running host, or \
            the state that the last one left. The address that it prints contains the token, which buttons and \
            outputs need. The token is also in the state folder, in the file http-token.

            Examples:
              lull web
              lull web --http 127.0.0.1:9000
              curl -s http://127.0.0.1:8320/metrics
            """)

    @OptionGroup package var options: StateOptions
    @OptionGroup package var manifestOption: ManifestOption
    @Option(help: ArgumentHelp("Where to listen; port 0 takes a free one.", valueName: "address:port"))
    package var http = WebAddressArgument(.usual)
    @OptionGroup package var web: WebOptions
    /// Whether a host has started it: it ends with the host, and reports when it listens.
    @Flag(help: .hidden) package var besideHost = false

    package init() {}
}
