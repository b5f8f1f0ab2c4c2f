import CLullPlugin
import CLullShims
import Glibc
import LullModel
import LullWire

/// The process of one app's plugin: it loads the plugin, hands it the host's table and passes on what the host sends.
/// The program is started as a supervisor, and the worker is its child.
///
/// The main thread is the plugin's; a control thread speaks with the host. The process is never tidied up: it
/// ends when the host says so, when the host is gone, or when the plugin ends it.
@main enum LullWorker {
    static func main() {
        // Before there is a second thread, and with all the rights of the host: `lull_keep` returns in the supervisor's child.
        guard ControlSocket.adopt(), lull_keep() == 0 else {
            let words =
                "lull starts lull-worker itself, with a socket to it. Run `lull` instead.\n"
            _ = write(STDERR_FILENO, words, words.utf8.count)
            exit(64)
        }
        lull_print_at_once()
        let (welcome, confinement, session) = introduce()
        yieldToOthers(nice: welcome.nice)
        confinement.enter()
        AppHome.adopt(welcome.stateFolder)
        lull_die_with_supervisor()
        OwnProcess.adopt()
        let plugin = PluginFile(
            loading: welcome.plugin, identity: welcome.identity, sha256: welcome.sha256)
        let host = makeHostTable(session)
        session.pluginMinor.withLock { $0 = plugin.abiMinor }
        ControlThread(session: session, plugin: welcome.plugin, launch: plugin.launch).start()
        let status = plugin.start(host)
        OwnProcess.endIfForked(0, "start")
        session.didStart()
        guard status == 0 else { refuse(.start, LoadFault.refused(welcome.plugin, status)) }
        ControlSocket.send(
            .hello(
                WorkerFrame.Hello(
                    abiMajor: plugin.abiMajor, abiMinor: plugin.abiMinor, sdk: plugin.sdk,
                    buildID: plugin.buildID, runsAlone: plugin.runsAlone)))
        plugin.run?()
        while true { pause() }
    }

    /// Receives what the host sends about the app, before anything of it is loaded.
    private static func introduce() -> (HostFrame.Welcome, Confinement, Session) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Limits.frameBytes, alignment: 8)
        defer { buffer.deallocate() }
        guard case .welcome(let welcome) = receive(buffer), welcome.version == Wire.version else {
            refuse(
                .wire,
                "The host speaks another version of the wire protocol. Install lull and lull-worker of one version."
            )
        }
        guard case .confine(let confine) = receive(buffer) else {
            refuse(
                .wire, "The host did not say what is permitted. Install lull and lull-worker of one version.")
        }
        var places: [Confinement.Place] = []
        for _ in 0..<confine.places {
            guard case .place(let path, let access) = receive(buffer) else {
                refuse(
                    .wire,
                    "The host did not say all that is permitted. Install lull and lull-worker of one version."
                )
            }
            places.append(Confinement.Place(path: path, access: access))
        }
        var settings: [UInt8] = []
        while settings.count < Int(welcome.settingsBytes) {
            guard case .settings(let part) = receive(buffer), !part.isEmpty else {
                refuse(
                    .wire, "The host did not send all settings. Install lull and lull-worker of one version.")
            }
            settings += part
        }
        var permitted: [String: PermittedTask] = [:]
        for _ in 0..<welcome.permits {
            guard case .permit(let identifier, let kind, let text) = receive(buffer) else {
                refuse(.wire, "The host did not send all tasks. Install lull and lull-worker of one version.")
            }
            permitted[identifier] = PermittedTask(kind: kind, settings: CText(text))
        }
        let session = Session(
            app: welcome.app, stateFolder: welcome.stateFolder, settings: settings, permitted: permitted,
            isLowPower: welcome.isLowPower)
        return (welcome, Confinement(confine, places: places, of: welcome), session)
    }

    private static func receive(_ buffer: UnsafeMutableRawBufferPointer) -> HostFrame {
        while true {
            if let length = ControlSocket.receive(into: buffer) { return Inbox.decode(buffer, length) }
        }
    }

    /// A worker is less urgent than its host, and is killed first when memory runs out.
    private static func yieldToOthers(nice: Int8) {
        if nice != 0 { setpriority(Int32(PRIO_PROCESS.rawValue), 0, Int32(nice)) }
        let file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, "300", 3)
        close(file)
    }
}
