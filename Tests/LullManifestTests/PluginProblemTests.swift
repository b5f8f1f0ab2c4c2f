import Testing

@testable import LullManifest

/// A plugin exists, and no other user can replace it.
struct PluginProblemTests {
    @Test(arguments: cases)
    func `each is refused with its place and its remedy`(_ item: Case) { item.check() }

    @Test func `a link to nothing is named with what it leads to`() {
        var files = FixedFileSystem()
        files.links["/home/me/build/libX.so"] = "release/libX.so"
        var search = PluginSearch(pluginPath: [], folder: "/home/me", fileSystem: files)
        guard case .failure(let refusal) = search.find("build/libX.so", as: nil) else {
            Issue.record("it was found")
            return
        }
        #expect(refusal.problem == .danglingLink(path: "/home/me/build/libX.so", target: "release/libX.so"))
        #expect(
            refusal.problem.message
                == "the plugin '/home/me/build/libX.so' is a link to 'release/libX.so', which is not there")
    }

    static let cases: [Case] = [
        Case(
            "a name that is nowhere",
            """
            version: 1
            apps:
              com.example.A:
                plugin: Nope
                usage: manual
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:4:13: error: there is no plugin 'Nope'; looked for /usr/lib/lull/libNope.so, /usr/lib/lull/Nope.so, /opt/lull/libNope.so, /opt/lull/Nope.so
                    4 |     plugin: Nope
                      |             ^~~~
                help: there are ColorFeed, Command, Far, Folder, Hers, Link, Open, Pipe and 3 more; or build or install the plugin, or write a path with a `/` in it
                """),
        Case(
            "a file name that is nowhere",
            """
            version: 1
            apps:
              com.example.A:
                plugin: mine.so
                usage: manual
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:4:13: error: there is no plugin 'mine.so'; looked for /usr/lib/lull/mine.so, /opt/lull/mine.so
                    4 |     plugin: mine.so
                      |             ^~~~~~~
                help: write `./mine.so` for a file beside the manifest, or put it into one of these folders
                """),
        Case(
            "a path that leads nowhere",
            """
            version: 1
            apps:
              com.example.A:
                plugin: build/libX.so
                usage: manual
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:4:13: error: there is no plugin 'build/libX.so'; looked for /home/me/build/libX.so
                    4 |     plugin: build/libX.so
                      |             ^~~~~~~~~~~~~
                help: build the plugin, or correct the path, which starts at the manifest's folder
                """),
        Case(
            "a tilde",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ~/x.so
                usage: manual
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:4:13: error: there is no plugin '~/x.so'; looked for /home/me/~/x.so
                    4 |     plugin: ~/x.so
                      |             ^~~~~~
                help: write the full path: `~` and variables are not expanded
                """),
        Case(
            "a folder",
            """
            version: 1
            apps:
              com.example.A:
                plugin: Folder
                usage: manual
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:4:13: error: the plugin '/usr/lib/lull/libFolder.so' is a folder
                    4 |     plugin: Folder
                      |             ^~~~~~
                help: name the `.so` file in it
                """),
        Case(
            "a pipe",
            """
            version: 1
            apps:
              com.example.A:
                plugin: Pipe
                usage: manual
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:4:13: error: the plugin '/usr/lib/lull/libPipe.so' is not a file
                    4 |     plugin: Pipe
                      |             ^~~~
                help: name the `.so` file
                """),
        Case(
            "a file that is everybody's",
            """
            version: 1
            apps:
              com.example.A:
                plugin: Open
                usage: manual
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:4:13: error: every user of this machine can write the plugin '/usr/lib/lull/libOpen.so', and so run code as you
                    4 |     plugin: Open
                      |             ^~~~
                help: run `chmod o-w /usr/lib/lull/libOpen.so`
                """),
        Case(
            "a file that is a group's",
            """
            version: 1
            apps:
              com.example.A:
                plugin: Shared
                usage: manual
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:4:13: error: the group 'staff' can write the plugin '/usr/lib/lull/libShared.so', and so run code as you
                    4 |     plugin: Shared
                      |             ^~~~~~
                help: run `chmod g-w /usr/lib/lull/libShared.so`
                """),
        Case(
            "a file that is somebody else's",
            """
            version: 1
            apps:
              com.example.A:
                plugin: Hers
                usage: manual
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:4:13: error: the plugin '/usr/lib/lull/libHers.so' belongs to 'feed', who can therefore run code as you
                    4 |     plugin: Hers
                      |             ^~~~
                help: use a copy that belongs to you or root, or let the app run as its owner with `user`
                """),
        Case(
            "a folder that is somebody else's, behind a link",
            """
            version: 1
            apps:
              com.example.A:
                plugin: Far
                usage: manual
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:4:13: error: the plugin's folder '/srv/feed' belongs to 'feed', who can replace what is in it
                    4 |     plugin: Far
                      |             ^~~
                help: use a copy that belongs to you or root, or let the app run as its owner with `user`
                """),
        Case(
            "what belongs to the user whom the app runs as",
            """
            version: 1
            apps:
              com.example.A:
                plugin: Hers
                usage: manual
                user: feed
                tasks: { r: { kind: refresh } }
              com.example.B:
                plugin: Far
                usage: manual
                user: feed
                tasks: { r: { kind: refresh } }

            """),
        Case(
            "a folder that is everybody's, behind a link",
            """
            version: 1
            apps:
              com.example.A:
                plugin: Link
                usage: manual
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:4:13: error: every user of this machine can put files into the plugin's folder '/srv/open'
                    4 |     plugin: Link
                      |             ^~~~
                help: run `chmod o-w /srv/open`
                """),
        Case(
            "a file in /tmp",
            """
            version: 1
            apps:
              com.example.A:
                plugin: /tmp/x.so
                usage: manual
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:4:13: error: every user of this machine can put files into the plugin's folder '/tmp'
                    4 |     plugin: /tmp/x.so
                      |             ^~~~~~~~~
                help: move the plugin to a folder of your own: everybody can write this one
                """),
        Case(
            "a file that can't be read",
            """
            version: 1
            apps:
              com.example.A:
                plugin: Secret
                usage: manual
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:4:13: error: the plugin '/usr/lib/lull/libSecret.so' can't be read: permission denied
                    4 |     plugin: Secret
                      |             ^~~~~~
                help: run `chmod a+r /usr/lib/lull/libSecret.so`
                """),
    ]
}
