import Foundation

/// Debian's nginx with a configuration of its own, on loopback; it ends with this value.
///
/// One process without a master, in the foreground, so no process can stay behind.
final class NginxServer {
    /// Without TLS, with TLS, and with HTTP/2 over TLS.
    enum Port: Int, CaseIterable { case plain, secure, multiplexed }

    /// The folder of the served files.
    let root: String
    /// The certificates that clients must trust: the system's, as real clients do, and the server's own.
    let authorities: String
    private let folder: String
    private var ports: [Int] = []
    private let process = Process()

    static let path = "/usr/sbin/nginx"
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }
    /// The rate of each connection to `/slow`, in bytes per second.
    static let slowRate = 256 << 10

    /// Returns once it listens.
    init(_ workshop: Workshop) throws {
        folder = try workshop.empty("nginx")
        root = folder + "/www"
        authorities = folder + "/authorities"
        for name in ["www", "tmp"] {
            try FileManager.default.createDirectory(
                atPath: folder + "/" + name, withIntermediateDirectories: true)
        }
        _ = try workshop.output(
            of: "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                folder + "/server.key", "-out", folder + "/server.crt",
            ])
        let usual =
            (try? Data(contentsOf: URL(fileURLWithPath: "/etc/ssl/certs/ca-certificates.crt"))) ?? Data()
        let own = try Data(contentsOf: URL(fileURLWithPath: folder + "/server.crt"))
        try (usual + own).write(to: URL(fileURLWithPath: authorities))
        ports = try Port.allCases.map { _ in try LoopbackPort.free() }
        try configuration.write(toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
        process.executableURL = URL(fileURLWithPath: Self.path)
        process.arguments = ["-p", folder, "-e", folder + "/errors", "-c", "nginx.conf"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let watch = Stopwatch()
        while !ports.allSatisfy(LoopbackPort.answers) {
            guard process.isRunning, watch.nanoseconds < 10e9 else {
                let errors = (try? String(contentsOfFile: folder + "/errors", encoding: .utf8)) ?? ""
                throw BenchmarkError("nginx does not listen: " + errors)
            }
            usleep(20_000)
        }
    }

    deinit {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    func url(_ path: String, _ port: Port = .plain) -> String {
        "\(port == .plain ? "http" : "https")://127.0.0.1:\(ports[port.rawValue])/\(path)"
    }

    /// Makes a file whose bytes do not repeat within a MiB, in the page cache and on the disk.
    func serve(_ name: String, bytes: Int) throws {
        let path = root + "/" + name
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw BenchmarkError("no file can be made in \(root)") }
        var random = SystemRandomNumberGenerator()
        let piece = Data((0..<min(bytes, 1 << 20)).map { _ in UInt8.random(in: 0...255, using: &random) })
        for start in stride(from: 0, to: bytes, by: piece.count) {
            try file.write(contentsOf: piece.prefix(bytes - start))
        }
        try file.synchronize()
        try file.close()
    }

    private var configuration: String {
        """
        daemon off;
        master_process off;
        pid pid;
        error_log errors;
        events { worker_connections 1024; }
        http {
            access_log off;
            sendfile on;
            keepalive_requests 100000;
            client_body_temp_path tmp/body; proxy_temp_path tmp/proxy; fastcgi_temp_path tmp/fast;
            uwsgi_temp_path tmp/uwsgi; scgi_temp_path tmp/scgi;
            ssl_certificate server.crt;
            ssl_certificate_key server.key;
            server {
                listen 127.0.0.1:\(ports[Port.plain.rawValue]);
                listen 127.0.0.1:\(ports[Port.secure.rawValue]) ssl;
                listen 127.0.0.1:\(ports[Port.multiplexed.rawValue]) ssl http2;
                root www;
                location /slow/ { alias \(root)/; limit_rate \(Self.slowRate); }
            }
        }
        """
    }
}

/// Ports of loopback.
private enum LoopbackPort {
    /// A free port.
    static func free() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withPointer(to: &address) {
            bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
        }
        guard isBound else { throw BenchmarkError("no port of 127.0.0.1 is free") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    static func answers(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = address(port)
        return withPointer(to: &address) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withPointer<T>(
        to address: inout sockaddr_in, _ work: (UnsafeMutablePointer<sockaddr>) -> T
    ) -> T {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, work)
        }
    }
}
