import ArgumentParser

package struct ManifestOption: ParsableArguments {
    @Option(
        name: .customLong("manifest"),
        help: ArgumentHelp(
            "The manifest, when no host is running.",
            discussion: "Default: the one that the last host of this state ran, or else ./jobs.yaml.",
            valueName: "file"))
    package var path: String?

    package init() {}
}
