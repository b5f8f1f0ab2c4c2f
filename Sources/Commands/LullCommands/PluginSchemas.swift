import Foundation
import LullELF
import LullManifest
import LullModel

/// The schemas that plugins declare, each file read once.
package struct PluginSchemas {
    private var known: [String: Result<SettingsSchema, SettingsSchemaFault>] = [:]

    package init(of plugins: some Sequence<String>) {
        for plugin in Set(plugins) where !plugin.isEmpty { known[plugin] = Self.schema(of: plugin) }
    }

    package subscript(plugin: String) -> Result<SettingsSchema, SettingsSchemaFault>? { known[plugin] }

    /// Nil where the file declares none, or is no plugin, which is reported elsewhere.
    package static func schema(of plugin: String) -> Result<SettingsSchema, SettingsSchemaFault>? {
        guard let file = try? FileBytes(opening: plugin), let found = try? SettingsDeclaration(of: file)
        else {
            return nil
        }
        switch found {
        case .none: return nil
        case .tooLong: return .failure(SettingsSchemaFault([], .tooLong(limit: SettingsDeclaration.limit)))
        case .several: return .failure(SettingsSchemaFault([], .several))
        case .declared(let text):
            guard let document = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else {
                return .failure(SettingsSchemaFault([], .notJSON))
            }
            return Result { () throws(SettingsSchemaFault) in try SettingsSchema(document) }
        }
    }
}
