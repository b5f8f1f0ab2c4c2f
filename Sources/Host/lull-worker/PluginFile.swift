import CLullPlugin
import CLullShims
import Glibc
import LullELF
import LullModel

/// A plugin that is loaded and fits this worker; there is one in the process, and it is never unloaded.
struct PluginFile {
    typealias StartFunction = @convention(c) (UnsafePointer<lull_host>) -> Int32
    typealias RunFunction = @convention(c) () -> Void

    let abiMajor: UInt16
    let abiMinor: UInt16
    let sdk: String
    /// In hexadecimal; empty: the file has none.
    let buildID: String
    let start: StartFunction
    let launch: LaunchFunction
    let run: RunFunction?
    /// Each run is to have a worker of its own.
    let runsAlone: Bool

    /// Loads the file, or ends the worker with a sentence that says what is wrong; before any of the plugin's code
    /// runs, if the file itself shows it.
    ///
    /// It is opened once, and checked through that descriptor. The loader opens it again by its path, from which it
    /// finds the libraries beside it: so the file's identity is checked once more before anything of it is called.
    init(loading path: String, identity: FileIdentity?, sha256: String) {
        let file: FileBytes
        let judged: FileIdentity?
        let facts: PluginFacts
        do throws(PluginFault) {
            file = try FileBytes(opening: path)
            judged = FileIdentity(descriptor: file.descriptor)
            if let identity, judged != identity { throw .exchanged }
            facts = try PluginFacts(of: file)
            if !sha256.isEmpty {
                let found = try file.digest()
                guard found == sha256 else { throw .otherDigest(found, pinned: sha256) }
            }
        } catch {
            refuse(error.isAboutEntry ? .entry : .load, error.sentence(about: path))
        }
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
            refuse(.load, LoadFault.sentence(path, dlerror().map { String(cString: $0) } ?? ""))
        }
        guard let entry = dlsym(handle, "lull_plugin_entry") else {
            refuse(.entry, PluginFault.noEntry.sentence(about: path))
        }
        let raw = UnsafeRawPointer(entry)
        buildID = Self.buildID(of: raw)
        guard judged == FileIdentity(descriptor: file.descriptor), judged == FileIdentity(path: path),
            buildID == facts.buildID
        else { refuse(.load, PluginFault.exchanged.sentence(about: path)) }
        // From here on the entry in memory counts.
        let size = Int(raw.load(as: UInt32.self))
        abiMajor = Self.field(\.abi_major, of: raw)
        abiMinor = Self.field(\.abi_minor, of: raw)
        guard size >= Self.end(of: \.launch), abiMajor == LULL_ABI_MAJOR,
            let start = Self.field(\.start, of: raw, as: StartFunction?.self),
            let launch = Self.field(\.launch, of: raw, as: LaunchFunction?.self)
        else {
            refuse(.load, PluginFault.exchanged.sentence(about: path))
        }
        self.start = start
        self.launch = launch
        // From `run` on a plugin may leave fields out.
        run = size >= Self.end(of: \.run) ? Self.field(\.run, of: raw, as: RunFunction?.self) : nil
        let flags: lull_plugin_flags = size >= Self.end(of: \.flags) ? Self.field(\.flags, of: raw) : 0
        runsAlone = flags & lull_plugin_flags(LULL_PLUGIN_RUNS_ALONE) != 0
        sdk = CText.read(Self.field(\.sdk, of: raw, as: UnsafePointer<CChar>?.self), atMost: 255)
    }

    private static func end<Field>(of field: KeyPath<lull_plugin, Field>) -> Int {
        (MemoryLayout<lull_plugin>.offset(of: field) ?? 0) + MemoryLayout<Field>.size
    }

    /// A field as it is in memory: it may be null even where the header allows no null.
    private static func field<Field, As>(
        _ field: KeyPath<lull_plugin, Field>, of entry: UnsafeRawPointer, as: As.Type = Field.self
    ) -> As {
        entry.load(fromByteOffset: MemoryLayout<lull_plugin>.offset(of: field) ?? 0, as: As.self)
    }

    private static func buildID(of address: UnsafeRawPointer) -> String {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = lull_build_id(address, &bytes, bytes.count)
        return bytes.prefix(count).reduce(into: "") { text, byte in
            text += byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16)
        }
    }
}
