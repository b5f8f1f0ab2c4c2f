import ArgumentParser

/// Where an imported manifest goes, and whether it may replace a file.
package struct ImportTarget: ParsableArguments {
    @Option(help: ArgumentHelp("Write the manifest here instead of to standard output.", valueName: "file"))
    package var out: String?
    @Flag(help: "Replace the file if it exists.") package var force = false

    package init() {}
}
