/// A pointer that the plugin gave with a function of its own, to be handed back to that function.
///
/// Sendable, for no code of the worker looks behind it: it is stored and passed on as a number. The plugin, which alone
/// knows what is there, lets its functions be called on the control thread (`lull_plugin.h`).
struct PluginContext: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer?

    init(_ pointer: UnsafeMutableRawPointer?) { self.pointer = pointer }
}
