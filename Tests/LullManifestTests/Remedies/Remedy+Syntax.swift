@testable import LullManifest

extension Remedy {
    static let all =
        syntax + text + structure + identifiers + values + times + sense + usage + notices + settings + events
        + plugins + fleets + params

    private static let described = "kind: refresh\ndescription: "

    static let syntax: [Remedy] = [
        Remedy(task: "kind: refresh\n\trepeat: 15m", "\t", "").prose,
        Remedy(task: "kind: refresh\nrepeat:15m", "repeat:15m", "repeat: 15m"),
        Remedy(task: "kind refresh\nrepeat: 15m", "kind refresh", "kind: refresh"),
        Remedy(task: "kind: refresh\nrepeat\nnice: 5", "repeat\n", "repeat: 15m\n").prose,
        Remedy(task: described + "one\nother words\nnice: 5", "    other", "        other").prose,
        Remedy(task: described + "'it is\nrepeat: 15m", "'it is", "'it is'").prose,
        Remedy(task: described + "'it's'\nrepeat: 15m", "it's", "it''s"),
        Remedy(task: described + "'it's mine'", "it's", "it''s"),
        Remedy(task: described + "\"it is\nmatch: \"15m\"", "\"it is\n        match: \"15m\"", "\"it is\"")
            .prose,
        Remedy(task: described + "\"say \"yes\" now\"", "\"yes\"", "\\\"yes\\\""),
        Remedy(task: described + "it's: this", "it's: this", "\"it's: this\"").prose,
        Remedy("  version: 1\napps:\n", "  version", "version").about("indentation").leaving("no apps").prose,
        Remedy(task: described + "note: this", "description: note: this", "description: 'note: this'"),
        Remedy(task: "kind: processing\nsettings: { run: echo a: b }", "run: echo a: b", "run: 'echo a: b'"),
        Remedy(task: "kind: processing\nsettings: { run: echo a: b }", "echo a: b", "echo, a: b").prose,
        Remedy(
            task: "kind: processing\nsettings: { run: echo {a,b} }", "run: echo {a,b}", "run: 'echo {a,b}'"),
        Remedy(task: "kind: processing\nsettings: { run: x #b }\nnice: 5", "run: x #b", "run: 'x #b'"),
        Remedy(task: "kind: refresh\n  repeat: 15m", "  repeat", "repeat").prose,
        Remedy(
            task: "kind: refresh\nrequires:\n    idle: true\n  load_below: 0.5", "  load", "    load"
        ).prose,
        Remedy(task: "kind: refresh\nrequires:\n    idle: true\n  nice: 5", "  nice", "nice").prose,
        Remedy(task: "kind: refresh\nrequires: { network: any\nnice: 5", "any\n", "any }\n"),
        Remedy(task: "kind: refresh\nrequires: { network: any idle: true }", "any idle", "any, idle").prose,
        Remedy(task: "kind: refresh\nwindows: [ 01:00-02:00", "02:00", "02:00 ]"),
        Remedy(task: "kind: refresh\nwindows: - 01:00-02:00", "- 01:00-02:00", "\n          - 01:00-02:00")
            .prose,
        Remedy(task: "kind: refresh\nwindows: - 01:00-02:00", "- 01:00-02:00", "[ 01:00-02:00 ]").prose,
        Remedy(task: "kind: refresh\nwindows:\n  - 01:00-02:00\n  03:00-04:00", "  03", "  - 03"),
        Remedy(task: "kind: refresh\nwindows:\n  - 01:00-02:00\n  nice: 5", "  nice", "nice").prose,
        Remedy(task: described + #""\d+""#, #""\d+""#, #"'\d+'"#).prose,
        Remedy(task: described + #""\d+""#, #"\d"#, #"\\d"#),
        Remedy(task: described + #""+\%F""#, #"\%"#, "%").prose,
        Remedy(task: "kind: processing\nat = daily", "at = daily", "at: daily"),
        Remedy(task: "kind: processing\n*/5 * * * * /opt/x", "\n        */5 * * * * /opt/x", "").prose,
        Remedy(task: "kind: processing\n5 4 * * * /opt/x", "\n        5 4 * * * /opt/x", "").prose,
        Remedy(task: described + "\"a\" b", "\"a\" b", "'\"a\" b'").prose,
        Remedy(task: described + "[ -x /p ] && /p", "[ -x /p ] && /p", "'[ -x /p ] && /p'"),
        Remedy(
            task: "kind: processing\nsettings: { env: { a: b }, run: [ -x /p ] && /p }", "[ -x /p ] && /p",
            "'[ -x /p ] && /p'"),
        Remedy(task: described + "{ a; } > b", "{ a; } > b", "'{ a; } > b'"),
        Remedy(task: described + "\"a b\" && c", "\"a b\" && c", "'\"a b\" && c'"),
        Remedy(task: described + "@home", "@home", "'@home'").prose,
        Remedy(task: described + "*.log", "*.log", "'*.log'").prose,
        Remedy(task: "kind: processing\nat: @daily", "@daily", "'@daily'").prose,
        Remedy(task: "kind: processing\nat: */5 * * * *", "*/5 * * * *", "'*/5 * * * *'").prose,
        Remedy(task: described + "& more", "& more", "'& more'").prose,
        Remedy(task: described + "& more", "& more", "&text more").prose,
        Remedy("%YAML 2.0\n---\nversion: 1\napps:\n", "%YAML 2.0\n---\n", "").leaving("no apps").prose,
        Remedy("version: 1\napps: {}\n...\nmore\n", "...\nmore\n", "").about("take it out")
            .leaving("no apps").prose,
        Remedy(task: "kind: refresh\n: 5", ": 5", "nice: 5").prose,
        Remedy(task: "kind: refresh\nwindows: [ , ]", " , ", " ").prose,
        Remedy(task: "kind: refresh\nwindows: [ , ]", " , ", " 01:00-02:00 ").prose,
        Remedy(task: described + "|x\n  text", "|x", "|").prose,
        Remedy(task: "kind: processing\nwindows:\n  -\"01:00-05:00\"", "-\"", "- \""),
        Remedy(task: "kind: processing\nwindows:\n-\"01:00-05:00\"", "-\"", "- \""),
        Remedy(task: "kind: processing\nnotify:\n  -mail: root", "-mail", "- mail").prose,
        Remedy(task: described + "!<x", "!<x", "x").prose,
        Remedy(task: "kind: processing\nrep\u{435}at: 1d", "rep\u{435}at", "repeat"),
        Remedy(task: "kind: processing\nrepeat:\u{A0}1d", "\u{A0}", " ").prose,
        Remedy(task: "kind: processing\nrepeat: \u{A0}1d", "\u{A0}", "").prose,
        Remedy(task: "kind: processing\nat: “0 5 * * *”", "“0 5 * * *”", "\"0 5 * * *\""),
        Remedy(
            task: "kind: processing\ndescription: “nightly: all of it”", "“nightly: all of it”",
            "\"nightly: all of it\""),
        Remedy(task: "kind: processing\nwindows: [\"01:00–05:00\"]", "–", "-"),
    ]

    static let text: [Remedy] = [
        Remedy(
            bytes: Array("version: 1\n# caf".utf8) + [0xE9, 0x0A], Array("version: 1\n# café\napps:\n".utf8)
        )
        .leaving("no apps").prose,
        Remedy(bytes: Array("version: 1\n# ".utf8) + [0x80, 0x0A], Array("version: 1\napps:\n".utf8))
            .leaving("no apps").prose,
        Remedy(
            bytes: [0xFF, 0xFE] + "version: 1\n".utf8.flatMap { [$0, 0] }, Array("version: 1\napps:\n".utf8)
        ).leaving("no apps").prose,
        Remedy(
            bytes: [0x7F] + Array("ELF".utf8) + [2, 1, 1] + [UInt8](repeating: 0, count: 64),
            Array("version: 1\napps:\n".utf8)
        ).leaving("no apps").prose,
        Remedy(task: described + "a\u{7}b", "\u{7}", "").prose,
        Remedy(task: described + "\"a\u{7}b\"", "\u{7}", "\\x07"),
        Remedy(task: described + "\"a\u{2028}b\"", "\u{2028}", "\\u2028"),
        Remedy(task: described + "a\u{FEFF}b", "\u{FEFF}", "").prose,
    ]
}
