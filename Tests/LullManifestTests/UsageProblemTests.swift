import Testing

@testable import LullManifest

/// Sources of use are there and can be read.
struct UsageProblemTests {
    @Test(arguments: cases)
    func `each is refused with its place and its remedy`(_ item: Case) { item.check() }

    static let cases: [Case] = [
        Case(
            "text for usage",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: automatic
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:12: error: `usage` takes manual or a list of logs, not 'automatic'
                    5 |     usage: automatic
                      |            ^~~~~~~~~
                help: write `usage: manual`, or a list: `- { log: /var/log/nginx/access.log, time: common }`
                """),
        Case(
            "text among the sources",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ /var/log/access.log ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:14: error: `usage` takes manual or a list of logs, not '/var/log/access.log'
                    5 |     usage: [ /var/log/access.log ]
                      |              ^~~~~~~~~~~~~~~~~~~
                help: write `usage: manual`, or a list: `- { log: /var/log/nginx/access.log, time: common }`
                """),
        Case(
            "a log that is not there",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ { log: /var/log/nope.log, time: common } ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:21: warning: there is no log '/var/log/nope.log': no use is learned from it
                    5 |     usage: [ { log: /var/log/nope.log, time: common } ]
                      |                     ^~~~~~~~~~~~~~~~~
                help: mend the path, or leave it if the log is yet to come
                """),
        Case(
            "a log that can't be read",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ { log: /var/log/secret.log, time: common } ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:21: warning: the log '/var/log/secret.log' can't be read: no use is learned from it
                    5 |     usage: [ { log: /var/log/secret.log, time: common } ]
                      |                     ^~~~~~~~~~~~~~~~~~~
                help: let lull read it, for example `setfacl -m u:USER:r /var/log/secret.log`
                """),
        Case(
            "a folder for a log",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ { log: /var/log, time: common } ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:21: error: the log '/var/log' is a folder
                    5 |     usage: [ { log: /var/log, time: common } ]
                      |                     ^~~~~~~~
                help: name the file in it
                """),
        Case(
            "a broken expression",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ { log: /var/log/access.log, time: common, match: 'GET (/feed' } ]
                tasks: { r: { kind: refresh } }

            """,
            says: #"""
                jobs.yaml:5:63: error: 'GET (/feed' is no regular expression: unmatched ( or \(
                    5 |     usage: [ { log: /var/log/access.log, time: common, match: 'GET (/feed' } ]
                      |                                                               ^~~~~~~~~~~~
                help: write a POSIX extended regular expression; a `\` before a character takes its meaning away
                """#),
        Case(
            "an expression that would eat the memory",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ { log: /var/log/access.log, time: common, match: '((a{1,200}){1,200}){1,200}' } ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:63: error: the expression repeats more than 1000 times, all `{…}` multiplied
                    5 |     usage: [ { log: /var/log/access.log, time: common, match: '((a{1,200}){1,200}){1,200}' } ]
                      |                                                               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
                help: match less of the line: a use needs only what tells it from other lines
                """),
        Case(
            "a time format with a slip",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ { log: /var/log/access.log, time: rfc3393 } ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:48: error: `time` is common, rfc3339 or a strptime format, not 'rfc3393'
                    5 |     usage: [ { log: /var/log/access.log, time: rfc3393 } ]
                      |                                                ^~~~~~~
                help: did you mean `rfc3339`?
                """),
        Case(
            "a time format without conversions",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ { log: /var/log/access.log, time: ISO } ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:48: error: `time` is common, rfc3339 or a strptime format, not 'ISO'
                    5 |     usage: [ { log: /var/log/access.log, time: ISO } ]
                      |                                                ^~~
                help: write a format such as `time: "%Y-%m-%d %H:%M:%S"`
                """),
        Case(
            "a conversion that strptime does not know",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ { log: /var/log/access.log, time: '%Y-%Q' } ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:48: error: strptime does not know '%Q' in '%Y-%Q'
                    5 |     usage: [ { log: /var/log/access.log, time: '%Y-%Q' } ]
                      |                                                ^~~~~~~
                help: see `man strptime`; a per cent sign of its own is `%%`
                """),
    ]
}
