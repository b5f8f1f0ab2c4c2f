import ArgumentParser

/// The arguments of a command that another executable than `lull` carries out.
///
/// `lull` knows its help, options and checks, so that help, completions and manual pages have them wherever that executable is,
/// and calls it once they hold. The executable parses the same arguments anew.
package protocol CommandArguments: ParsableArguments {
    /// The executable's name.
    static var program: String { get }
    static var configuration: CommandConfiguration { get }
}

/// Arguments in the executable that carries the command out.
package protocol RunnableArguments: CommandArguments {
    func run() throws
}

/// The command as `lull` has it, which hands over to the executable.
package struct Elsewhere<Arguments: CommandArguments>: ParsableCommand {
    package static var configuration: CommandConfiguration { Arguments.configuration }
    @OptionGroup package var arguments: Arguments

    package init() {}

    package func run() throws {
        throw Failure(CompanionProgram(named: Arguments.program).replaceThisOne())
    }
}

/// The command as the executable has it, which carries it out.
package struct Here<Arguments: RunnableArguments>: ParsableCommand {
    package static var configuration: CommandConfiguration { Arguments.configuration }
    @OptionGroup package var arguments: Arguments

    package init() {}

    package func run() throws { try arguments.run() }
}
