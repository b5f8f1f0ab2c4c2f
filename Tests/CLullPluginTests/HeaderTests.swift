import CLullPlugin
import Foundation
import Testing

/// The header by itself, as an author of a C or C++ plugin meets it.
@Suite struct HeaderTests {
    static let dialects = [
        ("gcc", "c11", "c"), ("gcc", "c17", "c"), ("clang", "c11", "c"), ("clang", "c17", "c"),
        ("g++", "c++17", "c++"), ("clang++", "c++20", "c++"),
    ]

    /// A whole plugin: it names every field, so that a renamed one is noticed.
    static let plugin = """
        #include "lull_plugin.h"
        static const lull_host *host;
        static int32_t start(const lull_host *given) {
            host = given;
            if (!LULL_HAS(lull_host, host, submit_explained)) return 1;
            host->log(host, LULL_INFO, host->state_dir);
            return host->register_task(host, "com.example.Hello.refresh") ? 0 : 1;
        }
        static void launch(const lull_launch *launch) {
            char name[64];
            char reason[256];
            lull_request request;
            request.size = sizeof(request);
            request.kind = LULL_KIND_REFRESH;
            request.identifier = launch->identifier;
            request.earliest_begin_unix_ns = 0;
            request.requirements = LULL_REQUIRES_NETWORK | LULL_REQUIRES_EXTERNAL_POWER;
            request.reserved = 0;
            request.title = NULL;
            request.subtitle = NULL;
            request.strategy = LULL_STRATEGY_QUEUE;
            request.resources = LULL_HAS(lull_host, host, resources) ? host->resources : 0;
            request.protection = NULL;
            if (host->setting(host, launch->task, "/name", name, sizeof(name)) < 0) name[0] = 0;
            if (host->submit_explained(host, &request, reason, sizeof(reason)) != LULL_OK)
                host->log_task(host, launch->task, LULL_ERROR, reason);
            host->progress(host, launch->task, 1, 2, name);
            if (LULL_HAS(lull_host, host, begin_activity) && host->begin_activity && host->end_activity)
                host->end_activity(host, host->begin_activity(host, "saving", NULL, NULL));
            if (LULL_HAS(lull_host, host, update_titles) && host->update_titles && LULL_HAS(lull_launch, launch, title))
                host->update_titles(host, launch->task, launch->title ? launch->title : name, name);
            if (LULL_HAS(lull_host, host, report_fault) && host->report_fault)
                host->report_fault(host, LULL_FAULT_OTHER, launch->task, "an example", "Hello.c:1", NULL);
            if (LULL_HAS(lull_host, host, print_task) && host->print_task)
                host->print_task(host, launch->task, LULL_STREAM_OUTPUT, name, sizeof(name));
            if (LULL_HAS(lull_host, host, set_transfer_handler) && host->transfer) {
                uint64_t transfer;
                static lull_transfer_order order;
                order.size = sizeof(order);
                order.session = "feed";
                order.ordinal = 1;
                order.url = "https://example.org/feed";
                if (host->transfer(host, &order, &transfer, reason, sizeof(reason)) == LULL_OK)
                    host->act_on_transfer(host, transfer, LULL_TRANSFER_CANCEL, reason, sizeof(reason));
            }
            host->set_expiration_handler(host, launch->task, NULL, NULL);
            host->set_task_completed(host, launch->task, host->now(host) < launch->deadline_ns);
        }
        const lull_plugin lull_plugin_entry = {
            sizeof(lull_plugin), LULL_ABI_MAJOR, LULL_ABI_MINOR, "c", start, launch, NULL, 0, 0
        };

        """

    @Test(arguments: dialects)
    func `the header is clean`(compiler: String, standard: String, language: String) throws {
        let complaint = try Self.complaint(of: compiler, standard, language, about: Self.plugin)
        #expect(complaint == "")
    }

    @Test func `a compiler's complaint about a plugin is noticed`() throws {
        let renamed = Self.plugin.replacing("state_dir", with: "state_folder")
        #expect(try Self.complaint(of: "gcc", "c17", "c", about: renamed).contains("state_folder"))
    }

    @Test(arguments: [("gcc", "c11"), ("gcc", "c17"), ("clang", "c17")])
    func `the C plugin of the documentation compiles`(compiler: String, standard: String) throws {
        let document = try String(
            contentsOf: Self.repository.appending(path: "docs/plugin-in-c.md"), encoding: .utf8)
        let block = try #require(document.firstMatch(of: /```c\n((?s).*?)```/))
        #expect(try Self.complaint(of: compiler, standard, "c", about: String(block.1)) == "")
    }

    /// A field added to the header has to be added here, below the others, and to `Layout.c`.
    @Test func `the table of the host has the layout of ABI 1`() {
        #expect(LULL_ABI_MAJOR == 1 && LULL_ABI_MINOR == 3)
        #expect(MemoryLayout<lull_request>.size == 64)
        #expect(MemoryLayout<lull_launch>.size == 96)
        #expect(MemoryLayout<lull_host>.size == 312)
        #expect(MemoryLayout<lull_notification>.size == 112)
        #expect(MemoryLayout<lull_transfer_order>.size == 144)
        #expect(MemoryLayout<lull_transfer_state>.size == 160)
        #expect(MemoryLayout<lull_host>.offset(of: \.transfer) == 264)
        #expect(MemoryLayout<lull_host>.offset(of: \.set_transfer_handler) == 296)
        #expect(MemoryLayout<lull_host>.offset(of: \.report_push) == 216)
        #expect(MemoryLayout<lull_host>.offset(of: \.set_badge) == 256)
        #expect(MemoryLayout<lull_plugin>.size == 48)
        #expect(MemoryLayout<lull_plugin>.offset(of: \.flags) == 40)
        #expect(MemoryLayout<lull_host>.offset(of: \.report_exit) == 304)
        #expect(MemoryLayout<lull_host>.offset(of: \.progress) == 88)
        #expect(MemoryLayout<lull_host>.offset(of: \.submit_explained) == 136)
        #expect(MemoryLayout<lull_request>.offset(of: \.title) == 32)
        #expect(MemoryLayout<lull_launch>.offset(of: \.title) == 40)
        #expect(MemoryLayout<lull_host>.offset(of: \.update_titles) == 144)
        #expect(MemoryLayout<lull_host>.offset(of: \.report_fault) == 192)
        #expect(MemoryLayout<lull_host>.offset(of: \.print_task) == 208)
        #expect(MemoryLayout<lull_host>.offset(of: \.report_push) == 216)
        #expect(MemoryLayout<lull_launch>.offset(of: \.payload) == 72)
    }

    private static var repository: URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    }

    /// What the compiler says, with all its warnings on; empty when it is content.
    private static func complaint(
        of compiler: String, _ standard: String, _ language: String, about source: String
    ) throws -> String {
        guard let tool = find(compiler) else {
            try Test.cancel("there is no \(compiler) on this machine")
        }
        let process = Process()
        let input = Pipe()
        let output = Pipe()
        process.executableURL = tool
        process.arguments = [
            "-std=\(standard)", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-x", language,
            "-I", repository.appending(path: "Sources/C/CLullPlugin/include").path, "-",
        ]
        process.standardInput = input
        process.standardError = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(source.utf8))
        try input.fileHandleForWriting.close()
        let complaint = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? "" : String(decoding: complaint, as: UTF8.self)
    }

    private static func find(_ tool: String) -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { URL(filePath: String($0)).appending(path: tool) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
