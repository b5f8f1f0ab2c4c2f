import ArgumentParser
import LullCommands
import LullModel

/// `--param NAME=VALUE`, as often as there are parameters to give.
struct ParamOptions: ParsableArguments {
    @Option(
        name: [.customShort("p"), .customLong("param")],
        help: ArgumentHelp(
            "A value for a parameter that the task declares in `params`; the others have their defaults.",
            valueName: "name=value"))
    var param: [String] = []

    /// Nil: none is given. The host checks names and values against the manifest.
    func values() throws -> [String: String]? {
        var values: [String: String] = [:]
        for text in param {
            guard let (name, value) = TaskParam.nameAndValue(in: text) else {
                let name = TaskParam.isName(text) ? text : "NAME"
                throw Failure(
                    "--param: '\(text.prefix(60))' does not say which parameter has which value. "
                        + "Write `--param \(name)=VALUE`, such as `--param date=2026-11-30`.")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw Failure("--param: '\(name.prefix(60))' is given twice. Give it once.")
            }
        }
        return values.isEmpty ? nil : values
    }
}
