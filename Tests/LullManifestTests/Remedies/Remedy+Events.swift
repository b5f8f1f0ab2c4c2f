@testable import LullManifest

extension Remedy {
    /// `on` of a task beside another, and its replacement.
    private static func on(_ slip: String, _ write: String) -> Remedy {
        Remedy(
            app: "tasks:\n  fetch: { kind: processing }\n  r:\n    kind: processing\n    on: \(slip)",
            "on: \(slip)",
            "on: \(write)"
        ).prose
    }

    private static let many =
        "[" + (0...100).map { "{ path: /srv/\($0) }" }.joined(separator: ", ") + "]"

    static let events: [Remedy] = [
        on("reboot", "boot"),
        on("something", "resume"),
        on("[[boot]]", "[boot]"),
        on("{ settle: 1s }", "{ path: /srv/in }"),
        on("[]", "{ device: sd* }"),
        on("{ path: /srv/in, login: any }", "[{ path: /srv/in }, { login: any }]"),
        on("[boot, boot]", "[boot]"),
        on(many, "{ path: /srv/*.csv }").about("at most"),
        on("{ after: fetch, settle: 1s }", "{ after: fetch }"),
        on("{ path: in }", "{ path: /srv/in }"),
        on("{ path: /srv/*/in }", "{ path: /srv/in/*.csv }"),
        on("{ path: '/srv/[a' }", "{ path: '/srv/[[]a' }"),
        on("{ path: / }", "{ path: /srv/in }"),
        on("{ path: /proc/mounts }", "network"),
        on("{ device: {} }", "{ device: { name: sd* } }"),
        on("{ device: /mnt/disk }", "{ device: disk }"),
        on("{ after: fetsh }", "{ after: fetch }"),
        on("{ after: something-else }", "{ after: fetch }"),
        on("{ after: 'batch.*' }", "{ after: fetch }").about("wildcard"),
        on("{ after: [] }", "{ after: fetch }"),
        on("{ after: r }", "{ after: fetch }"),
        Remedy(
            app: "tasks:\n  r: { kind: continued, on: boot }", "kind: continued, on: boot",
            "kind: processing, on: boot"
        ).prose,
        Remedy(app: "tasks:\n  b.*: { kind: processing, on: boot }", "b.*", "b").about(
            "which identifier is meant"
        ).prose,
    ]
}
