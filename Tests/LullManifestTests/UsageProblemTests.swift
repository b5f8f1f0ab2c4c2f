import Testing

@testable import LullManifest

/// Sources of use are what they say, are there and can be read.
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
                jobs.yaml:5:12: error: `usage` takes manual or a list of sources, not 'automatic'
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
                jobs.yaml:5:14: error: `usage` takes manual or a list of sources, not '/var/log/access.log'
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
                jobs.yaml:5:21: warning: there is no log '/var/log/nope.log', so Lull learns no uses from it yet
                    5 |     usage: [ { log: /var/log/nope.log, time: common } ]
                      |                     ^~~~~~~~~~~~~~~~~
                help: correct the path, or ignore this if the log will appear later
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
                jobs.yaml:5:21: warning: the log '/var/log/secret.log' can't be read, so Lull learns no uses from it
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
                jobs.yaml:5:63: error: 'GET (/feed' is not a regular expression: unmatched ( or \(
                    5 |     usage: [ { log: /var/log/access.log, time: common, match: 'GET (/feed' } ]
                      |                                                               ^~~~~~~~~~~~
                help: write a POSIX extended regular expression; put a `\` before a character that has a special meaning
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
                help: match less of the line: only what distinguishes a use from other lines
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
                jobs.yaml:5:48: error: `time` must be common, rfc3339 or a strptime format, not 'rfc3393'
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
                jobs.yaml:5:48: error: `time` must be common, rfc3339 or a strptime format, not 'ISO'
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
        Case(
            "an empty list",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: []
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:12: error: `usage` lists no source
                    5 |     usage: []
                      |            ^~
                help: write `usage: manual`, or a list: `- { log: /var/log/nginx/access.log, time: common }`
                """),
        Case(
            "two sources in one",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ { login: any, access: /tmp } ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:28: error: a source of `usage` has one kind, but this one has 'login' and 'access'
                    5 |     usage: [ { login: any, access: /tmp } ]
                      |                            ^~~~~~
                help: make each an entry of the list, with a `-` of its own
                """),
        Case(
            "a source twice",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ { login: any }, { login: any } ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:30: error: this source appears twice in the list
                    5 |     usage: [ { login: any }, { login: any } ]
                      |                              ^~~~~~~~~~~~~~
                help: take it out
                """),
        Case(
            "a time of a login",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ { login: any, time: common } ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:28: error: 'time' is only for a log, and this source is 'login'
                    5 |     usage: [ { login: any, time: common } ]
                      |                            ^~~~
                help: take it out
                """),
        Case(
            "a match beside a journal",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ { journal: { unit: cron }, match: x } ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:41: error: 'match' is only for a log, and this source is 'journal'
                    5 |     usage: [ { journal: { unit: cron }, match: x } ]
                      |                                         ^~~~~
                help: put it inside: `journal: { unit: NAME, match: 'opened' }`
                """),
        Case(
            "a name that no user has",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ login: '../etc' ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:21: error: '../etc' is not a user's name
                    5 |     usage: [ login: '../etc' ]
                      |                     ^~~~~~~~
                help: write a user's name from `getent passwd`, or `login: any` for everybody
                """),
        Case(
            "a list of users",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ login: [ me ] ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:21: error: `login` takes text, not a list
                    5 |     usage: [ login: [ me ] ]
                      |                     ^~~~~~
                help: write, for example, `login: any`
                """),
        Case(
            "a unit without its key",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ journal: nginx.service ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:23: error: `journal` takes keys and values, not 'nginx.service'
                    5 |     usage: [ journal: nginx.service ]
                      |                       ^~~~~~~~~~~~~
                help: write `journal: { unit: nginx.service }`
                """),
        Case(
            "a journal without a unit",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ journal: { match: x } ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:23: error: `journal` needs the key 'unit'
                    5 |     usage: [ journal: { match: x } ]
                      |                       ^~~~~~~~~~~~
                help: write `unit: nginx.service`
                """),
        Case(
            "a unit that begins like an option",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ journal: { unit: --flush } ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:31: error: '--flush' is not a unit's name
                    5 |     usage: [ journal: { unit: --flush } ]
                      |                               ^~~~~~~
                help: write a unit's name from `systemctl list-units`, such as `unit: nginx.service`
                """),
        Case(
            "a key of logs in a journal",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ journal: { unit: cron, time: common } ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:37: error: the key 'time' is not allowed in `journal`
                    5 |     usage: [ journal: { unit: cron, time: common } ]
                      |                                     ^~~~
                help: 'time' belongs in a source of `usage`
                """),
        Case(
            "a broken expression in a journal",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ journal: { unit: cron, match: '(' } ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:44: error: '(' is not a regular expression: unmatched ( or \\(
                    5 |     usage: [ journal: { unit: cron, match: '(' } ]
                      |                                            ^~~
                help: write a POSIX extended regular expression; put a `\\` before a character that has a special meaning
                """),
        Case(
            "an access that is not there",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ access: /srv/nope ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:22: warning: there is no '/srv/nope', so Lull learns no uses from it yet
                    5 |     usage: [ access: /srv/nope ]
                      |                      ^~~~~~~~~
                help: correct the path, or ignore this if it will appear later
                """),
        Case(
            "an access that can't be watched",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ access: /var/log/secret.log ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:22: warning: '/var/log/secret.log' can't be read, so Lull can't watch it for uses
                    5 |     usage: [ access: /var/log/secret.log ]
                      |                      ^~~~~~~~~~~~~~~~~~~
                help: let lull read it, for example `setfacl -m u:USER:r /var/log/secret.log`
                """),
        Case(
            "a time without a day",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ { log: /var/log/access.log, time: '%H:%M:%S' } ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:48: error: the format '%H:%M:%S' has no day
                    5 |     usage: [ { log: /var/log/access.log, time: '%H:%M:%S' } ]
                      |                                                ^~~~~~~~~~
                help: add `%d` with `%m` or `%b`, or `%j`, or `%s` alone
                """),
        Case(
            "a time without an hour",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ { log: /var/log/access.log, time: '%d/%b/%Y' } ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:48: error: the format '%d/%b/%Y' has no hour
                    5 |     usage: [ { log: /var/log/access.log, time: '%d/%b/%Y' } ]
                      |                                                ^~~~~~~~~~
                help: add `%H`, or `%I` with `%p`
                """),
    ]
}
