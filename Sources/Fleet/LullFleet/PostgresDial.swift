private import Glibc
import LullModel
import LullSystem

/// Makes a connection, on a thread of its own: libpq blocks while it looks names up and reads files.
struct PostgresDial: Sendable {
    /// As the manifest has it; without a password.
    var database: String
    /// Where systemd has put this host's credentials; nil: nowhere.
    var credentials: String?
    /// The folder of the service's credentials, which root may read while it runs: for commands by hand without another password.
    var spare = "/run/credentials/lull.service"
    /// For each of the servers, if there are several.
    var timeout: Duration
    /// The server cancels a statement that takes longer.
    var statementTimeout: Duration

    static let credential = "lull-fleet"

    /// Waits until it is connected or has failed.
    func connect() -> Result<PostgresLink, FleetTrouble> {
        guard PostgresLink.isThere else { return .failure(.noLibrary) }
        let result = connect(Self.password(in: credentials))
        guard Self.words(of: result, have: "no password supplied"), let spare = Self.password(in: spare)
        else { return result }
        return connect(spare)
    }

    private func connect(_ password: String?) -> Result<PostgresLink, FleetTrouble> {
        let result = connect(password, withTimeout: true)
        // A pooler takes no options; then the role's `statement_timeout` applies, and the functions' `lock_timeout`.
        return Self.words(of: result, have: "startup parameter")
            ? connect(password, withTimeout: false) : result
    }

    private static func words(of result: Result<PostgresLink, FleetTrouble>, have part: String) -> Bool {
        if case .failure(.unreachable(_, let words)) = result { words.contains(part) } else { false }
    }

    private func connect(_ password: String?, withTimeout: Bool) -> Result<PostgresLink, FleetTrouble> {
        // Options before the manifest's are defaults; options after them hold in any case.
        var options = [(name: "target_session_attrs", value: "read-write")]
        if withTimeout {
            options.append(("options", "-c statement_timeout=\(statementTimeout.milliseconds)"))
        }
        options.append(("dbname", database))
        options.append(("fallback_application_name", "lull"))
        options.append(("client_encoding", "UTF8"))
        if let password { options.append(("password", password)) }
        guard let first = PostgresLink.start(options) else { return failed("there is no memory") }
        var link = Optional(first)
        let servers = Server.all(of: first)
        let needsTLS = servers.contains { !$0.isLocal } && first.option("sslmode") ?? "prefer" == "prefer"
        if needsTLS { options.append(("sslmode", "verify-full")) }
        var result = failed("it names no server")
        for server in servers {
            // One silent server of several must not keep the others from being tried.
            if needsTLS || servers.count > 1 { link = PostgresLink.start(options + server.options) }
            guard let started = link else { return failed("there is no memory") }
            result = finish(started)
            if case .success = result { return result }
        }
        return result
    }

    private func finish(_ link: PostgresLink) -> Result<PostgresLink, FleetTrouble> {
        let end = Clock.monotonic + timeout
        var step = link.isBroken ? PostgresLink.Step.failed : .wait(writes: true)
        while case .wait(let writes) = step {
            var look = pollfd(fd: link.socket, events: Int16(writes ? POLLOUT : POLLIN), revents: 0)
            let left = (end - Clock.monotonic).milliseconds
            guard left > 0 else { return .failure(.silent(place: database, timeout)) }
            let count = poll(&look, 1, Int32(clamping: left))
            if count > 0 { step = link.goOn() }
        }
        guard case .connected = step else { return failed(link.words) }
        link.neverWait()
        return .success(link)
    }

    private func failed(_ words: String) -> Result<PostgresLink, FleetTrouble> {
        .failure(.unreachable(place: database, words: words))
    }

    /// The first line of the credential.
    private static func password(in credentials: String?) -> String? {
        guard let credentials else { return nil }
        let descriptor = open(credentials + "/" + credential, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// A server that a connection string names.
    struct Server: Equatable {
        var host: String
        var address: String
        var port: String

        /// A host that is a path is a socket's folder; no host at all is the system's own.
        var isLocal: Bool {
            let place = address.isEmpty ? host : address
            return place.isEmpty || place.hasPrefix("/") || place.hasPrefix("@") || place == "localhost"
                || place == "::1" || place.hasPrefix("127.")
        }

        var options: [(name: String, value: String)] {
            [("host", host), ("hostaddr", address), ("port", port)].filter { !$0.1.isEmpty }
        }

        static func all(of link: PostgresLink) -> [Server] {
            func list(_ name: String) -> [String] {
                (link.option(name) ?? "").split(separator: ",", omittingEmptySubsequences: false)
                    .map(String.init)
            }
            let (hosts, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
            return (0..<max(hosts.count, addresses.count, 1)).map { index in
                func item(_ list: [String]) -> String { index < list.count ? list[index] : "" }
                return Server(
                    host: item(hosts), address: item(addresses),
                    port: ports.count > 1 ? item(ports) : ports.first ?? "")
            }
        }
    }
}
