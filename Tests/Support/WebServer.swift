import Foundation
import LullModel

/// Debian's nginx with one folder to serve, for tests that run the executables; it ends with this value.
///
/// The tests of `lull-transfer` have a server of their own, which can do anything to a client.
public final class WebServer {
    public let folder: TemporaryFolder
    public let address: String
    public let port: Int
    private let nginx = Process()
    private let errors = Pipe()

    public static let path = "/usr/sbin/nginx"
    public static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

    struct Trouble: Error { let text: String }

    /// `through`: a command prefix to start nginx with, such as a namespace; `locations`: more of its configuration.
    public init(
        on address: String = "127.0.0.1", port: Int? = nil, through: [String] = [], locations: String = ""
    ) throws {
        folder = try TemporaryFolder()
        self.address = address
        self.port = try port ?? LoopbackListener.freePort()
        for name in ["www", "tmp", "put"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/" + name, withIntermediateDirectories: true)
        }
        try folder.file("nginx.conf", configuration(locations))
        nginx.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        nginx.arguments = through + [Self.path, "-p", folder.path, "-e", "stderr", "-c", "nginx.conf"]
        nginx.standardInput = FileHandle.nullDevice
        nginx.standardOutput = FileHandle.nullDevice
        nginx.standardError = errors
        try nginx.run()
        try errors.fileHandleForWriting.close()
        // nginx listens by the time it logs this line, and logs little more afterwards.
        var said = ""
        while !said.contains("start worker process ") {
            let more = errors.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Trouble(text: said) }
            said += String(decoding: more, as: UTF8.self)
        }
    }

    deinit {
        guard nginx.isRunning else { return }
        kill(nginx.processIdentifier, SIGTERM)
        nginx.waitUntilExit()
    }

    public func url(_ name: String) -> String { "http://\(address):\(port)/\(name)" }

    public func serve(_ name: String, _ data: Data) throws {
        try data.write(to: URL(fileURLWithPath: folder.path + "/www/" + name))
    }

    /// Serves a file of random bytes, and returns them.
    public func serve(_ name: String, bytes count: Int, seed: UInt64) throws -> Data {
        var random = SeededGenerator(seed: seed)
        let data = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        try serve(name, data)
        return data
    }

    /// Method, path, status and bytes of each answer; logged when the answer is over.
    public var log: [String] {
        ((try? String(contentsOfFile: folder.path + "/access", encoding: .utf8)) ?? "")
            .split(separator: "\n").map(String.init)
    }

    /// Waits until so many answers are in the log.
    public func waitForLog(of count: Int) throws {
        let script = "until [ $(wc -l < access) -ge $0 ]; do sleep 0.01; done"
        try Command.run(["timeout", "600", "sh", "-c", script, "\(count)"], in: folder.path)
    }

    /// The bodies that were sent to `/put/`, each as it came.
    public var bodies: [Data] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path + "/put")) ?? []
        return names.sorted().compactMap { FileManager.default.contents(atPath: folder.path + "/put/" + $0) }
            .filter { !$0.isEmpty }
    }

    private func configuration(_ locations: String) -> String {
        """
        \(geteuid() == 0 ? "user root;" : "")
        daemon off;
        pid pid;
        worker_processes 1;
        error_log stderr notice;
        events { worker_connections 1024; }
        http {
            log_format short '$request_method $uri $status $body_bytes_sent';
            access_log access short;
            client_body_temp_path put; proxy_temp_path tmp/proxy; fastcgi_temp_path tmp/fast;
            uwsgi_temp_path tmp/uwsgi; scgi_temp_path tmp/scgi;
            client_max_body_size 100m;
            server {
                listen \(address):\(port);
                root www;
                location /put/ {
                    client_body_in_file_only on;
                    proxy_pass http://\(address):\(port)/taken;
                    proxy_method POST;
                    proxy_pass_request_body off;
                    proxy_set_header Content-Length "";
                }
                location /taken { access_log off; return 201 "taken"; }
                \(locations)
            }
        }
        """
    }
}
