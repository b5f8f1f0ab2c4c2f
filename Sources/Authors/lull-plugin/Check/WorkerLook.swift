import Glibc

/// The resources of a process at one moment, from `/proc`.
struct WorkerLook {
    let threads: Int
    /// The target of each descriptor.
    let descriptors: [String]
    /// The live processes of its session beside itself, by their names.
    let companions: [String]
    /// Processor time of all its threads, in ticks.
    let ticks: UInt64
    /// The most memory that it has had, in KiB.
    let peak: Int

    init?(_ pid: Int32) {
        guard let own = Self.stat(pid), own.fields.count > 17 else { return nil }
        ticks = (UInt64(own.fields[11]) ?? 0) + (UInt64(own.fields[12]) ?? 0)
        threads = Int(own.fields[17]) ?? 0
        peak = Self.peak(pid)
        descriptors = Self.names(in: "/proc/\(pid)/fd").map { Self.link("/proc/\(pid)/fd/\($0)") ?? "?" }
            .sorted()
        companions = Self.names(in: "/proc").compactMap { Int32($0) }.filter { $0 != pid }.compactMap {
            other in
            guard let stat = Self.stat(other), stat.fields[3] == "\(pid)", !"ZX".contains(stat.fields[0])
            else {
                return nil
            }
            return "\(stat.name) (\(other))"
        }
    }

    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let item = readdir(stream) {
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
            let text = UnsafeRawPointer(item).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            let name = String(cString: text)
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = readlink(path, &buffer, buffer.count)
        guard length > 0 else { return nil }
        return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func text(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let length = read(file, &bytes, bytes.count)
        return length > 0 ? String(decoding: bytes.prefix(length), as: UTF8.self) : nil
    }

    private static func peak(_ pid: Int32) -> Int {
        let line = text("/proc/\(pid)/status")?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
    }

    /// Name, and the fields from the state on.
    private static func stat(_ pid: Int32) -> (name: String, fields: [Substring])? {
        guard let text = text("/proc/\(pid)/stat") else { return nil }
        guard let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")"), start < end else {
            return nil
        }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 4 else { return nil }
        return (String(text[text.index(after: start)..<end]), fields)
    }
}
