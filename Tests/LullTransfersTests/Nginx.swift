import Foundation
import LullSystem
import TestSupport
import Testing

/// Debian's nginx with a separate configuration, on loopback; it ends with this object.
final class Nginx {
    let temporary: TemporaryFolder
    let port: Int
    let securePort: Int
    var root: String { temporary.path + "/www" }

    static let path = "/usr/sbin/nginx"
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }
    static let absence: Comment = "nginx is not there: apt-get install nginx-light"

    init() throws {
        temporary = try TemporaryFolder()
        (port, securePort) = (try LoopbackListener.freePort(), try LoopbackListener.freePort())
        for name in ["www", "tmp", "www/put"] {
            try FileManager.default.createDirectory(
                atPath: temporary.path + "/" + name, withIntermediateDirectories: true)
        }
        try makeCertificates()
        // "Aladdin:open sesame", in the format of `openssl passwd -1`.
        let password = try Self.run("/usr/bin/openssl", ["passwd", "-1", "open sesame"])
        try temporary.file("users", "Aladdin:\(password)\n")
        try temporary.file("nginx.conf", configuration)
        // nginx returns once it listens.
        _ = try Self.run(
            Self.path, ["-p", temporary.path, "-e", temporary.path + "/errors", "-c", "nginx.conf"])
    }

    deinit {
        let text = try? String(contentsOfFile: temporary.path + "/pid", encoding: .utf8)
        let pid = text.flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        if let pid, pid > 1 { kill(pid, SIGTERM) }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }
    func secureURL(_ path: String) -> String { "https://127.0.0.1:\(securePort)/\(path)" }
    var authority: String { temporary.path + "/ca.crt" }

    func serve(_ name: String, _ data: Data) throws {
        try data.write(to: URL(fileURLWithPath: root + "/" + name))
    }

    /// Status, range and bytes of each response, logged when the response is over.
    var log: [String] {
        ((try? String(contentsOfFile: temporary.path + "/access", encoding: .utf8)) ?? "")
            .split(separator: "\n").map(String.init)
    }

    /// Waits until a response whose line contains `words` is in the log.
    func waitForLog(of words: String = "") throws {
        let script = "until grep -qsF -- \"$0\" access; do sleep 0.01; done"
        try Command.run(["timeout", "600", "sh", "-c", script, words], in: temporary.path)
    }

    private var configuration: String {
        """
        \(geteuid() == 0 ? "user root;" : "")
        pid pid;
        worker_processes 1;
        error_log errors;
        events { worker_connections 1024; }
        http {
            log_format short '$status "$http_range" $body_bytes_sent $server_protocol';
            access_log access short;
            client_body_temp_path tmp/body; proxy_temp_path tmp/proxy; fastcgi_temp_path tmp/fast;
            uwsgi_temp_path tmp/uwsgi; scgi_temp_path tmp/scgi;
            client_max_body_size 100m;
            # A first attempt all but stops in the midst of the file; the rest that is asked for comes at once.
            map $http_range $rate { "" 1; default 0; }
            server {
                listen 127.0.0.1:\(port);
                listen 127.0.0.1:\(securePort) ssl http2;
                ssl_certificate server.crt;
                ssl_certificate_key server.key;
                root www;
                location /held/ { alias \(root)/; limit_rate_after 300k; limit_rate $rate; }
                location /secret/ { alias \(root)/; auth_basic "the cave"; auth_basic_user_file users; }
                location /moved/ { rewrite ^/moved/(.*) /$1 redirect; }
                location /circle { return 302 /circle; }
                location /elsewhere { return 302 http://localhost:\(port)/file; }
                location /put/ {
                    proxy_pass http://127.0.0.1:\(port)/taken; proxy_method POST;
                }
                location /taken { return 201 "taken"; }
            }
        }
        """
    }

    private func makeCertificates() throws {
        func make(_ name: String, _ words: [String]) throws {
            _ = try Self.run(
                "/usr/bin/openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                    "2",
                    "-keyout", temporary.path + "/\(name).key", "-out", temporary.path + "/\(name).crt",
                ] + words)
        }
        try make("ca", ["-subj", "/CN=Lull's test authority", "-addext", "keyUsage=keyCertSign"])
        try make(
            "server",
            [
                "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-addext",
                "basicConstraints=critical,CA:FALSE", "-CA", authority, "-CAkey", temporary.path + "/ca.key",
            ])
    }

    struct Trouble: Error { let text: String }

    /// Returns the output once the program has ended; its children may go on.
    static func run(_ program: String, _ words: [String]) throws -> String {
        let child = try ChildProcess([program] + words, environment: ["PATH=/usr/sbin:/usr/bin:/bin"])
        var output: [UInt8] = []
        while let bytes = child.read(), !bytes.isEmpty { output += bytes }
        let ending = child.end(mayFinish: true)
        guard ending.trouble == nil else {
            throw Trouble(text: String(decoding: ending.complaints, as: UTF8.self))
        }
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
