import Testing

@testable import SQLiteMaintenanceKit

@Suite struct MaintenanceSettingsTests {
    @Test func `every key is read, and the rest has its default`() throws {
        let json = """
            {"databases":[{"path":"/a.db"},
              {"path":"/b.db","backup":{"folder":"/backup","keep":3},"vacuum":true,
                "integrity":"full","optional":true},
              {"path":"/c.db","backup":{"folder":"/backup"},"vacuum":false}],
             "busy_seconds":9,"lull":{"permitted":[]}}
            """
        let settings = try MaintenanceSettings(json: json)
        #expect(settings.busySeconds == 9)
        #expect(
            settings.databases == [
                .init(path: "/a.db"),
                .init(
                    path: "/b.db", backup: .init(folder: "/backup", keep: 3), vacuum: .always,
                    integrity: .full, isOptional: true),
                .init(path: "/c.db", backup: .init(folder: "/backup", keep: 7), vacuum: .never),
            ]
        )
    }

    @Test(arguments: [
        ("{}", "\"databases\" is missing or empty"),
        (#"{"databases":[]}"#, "\"databases\" is missing or empty"),
        (#"{"databases":{}}"#, "\"databases\" is not a list"),
        (#"{"databases":["/a"]}"#, "\"databases/0\" is not a map"),
        (#"{"databases":[{"path":"/a"},{}]}"#, "databases/1: \"path\" is missing"),
        (#"{"databases":[{"path":"/a","vaccum":true}]}"#, "databases/0: unknown key \"vaccum\""),
        (#"{"databases":[{"path":"/a","vacuum":"yes"}]}"#, "\"vacuum\" is none of true, false and auto"),
        (#"{"databases":[{"path":"/a","integrity":"deep"}]}"#, "\"integrity\" is \"deep\""),
        (#"{"databases":[{"path":"/a","backup":{}}]}"#, "databases/0/backup: \"folder\" is missing"),
        (
            #"{"databases":[{"path":"/a","backup":{"folder":"/b","keep":0}}]}"#,
            "\"keep\" is not a whole number from 1"
        ),
        (#"{"databases":[{"path":"/a"},{"path":"/a"}]}"#, "listed twice"),
        (#"{"databases":[{"path":"/a","optional":"no"}]}"#, "\"optional\" is neither true nor false"),
        (
            #"{"databases":[{"path":"1/a","backup":{"folder":"b"}},{"path":"2/a","backup":{"folder":"b"}}]}"#,
            "two databases named \"a\""
        ),
        (#"{"databases":[{"path":"/a"}],"busy_seconds":-1}"#, "\"busy_seconds\""),
        ("[]", "not a map"),
    ])
    func `bad settings are refused with a place and a sentence`(json: String, finding: String) {
        let error = #expect(throws: MaintenanceError.self) { try MaintenanceSettings(json: json) }
        #expect(error?.description.contains(finding) == true, "\(String(describing: error))")
    }

    @Test func `a task takes all steps, or those of its settings, in the right order`() throws {
        #expect(try MaintenanceTaskSettings(json: "{}").steps == [.check, .backup, .optimize, .vacuum])
        #expect(
            try MaintenanceTaskSettings(json: #"{"steps":["vacuum","check"]}"#).steps == [.check, .vacuum])
        #expect(throws: MaintenanceError.self) { try MaintenanceTaskSettings(json: #"{"steps":["chekc"]}"#) }
        #expect(throws: MaintenanceError.self) { try MaintenanceTaskSettings(json: #"{"steps":[]}"#) }
    }
}
