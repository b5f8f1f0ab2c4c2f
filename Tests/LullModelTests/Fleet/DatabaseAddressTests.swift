import LullModel
import Testing

/// Where a database is, read as libpq reads it.
struct DatabaseAddressTests {
    @Test(arguments: [
        "password=x", "host=db password=x", "PASSWORD = 'x y'", "host=db password\t=\tx", "sslpassword=x",
        "dbname='postgresql://u:p@h/d'", #"dbname='host=a password=\'b\''"#, "oauth_client_secret=x",
        "postgresql://lull:secret@db.example.org/lull", "postgres://:secret@/lull",
        "postgresql://db/lull?password=x", "postgresql://db/lull?sslmode=require&pass%77ord=x",
        "postgresql://db?%50ASSWORD=x", "postgresql://u:%70@db", "postgresql://a,b?password=x",
        "postgresql:///lull?dbname=postgres%3A%2F%2Fu%3Ap%40h",
    ])
    func `a password is found however it is written`(_ text: String) throws {
        #expect(try DatabaseAddress(text).hasPassword)
    }

    @Test(arguments: [
        "service=lull", "host=/run/postgresql dbname=lull", "passfile=/etc/lull/pgpass host=db",
        "dbname=password", "user=password", "postgresql://lull@db/lull", "postgresql://lull:@db/lull",
        "postgresql://db:5432/password", "password=", "postgresql://[::1]:5432/lull?passfile=%2Fa",
        "application_name='password=x'",
    ])
    func `and none where there is none`(_ text: String) throws {
        #expect(try !DatabaseAddress(text).hasPassword)
    }

    @Test func `its parts are those that libpq sees`() throws {
        let pairs = try DatabaseAddress(#"  host = db.example.org  dbname='my db' user=o\'hara port=5433"#)
        #expect(pairs["host"] == "db.example.org" && pairs["dbname"] == "my db" && pairs["user"] == "o'hara")
        #expect(pairs["port"] == "5433" && pairs["sslmode"] == nil)
        let uri = try DatabaseAddress("postgresql://me@a.example.org:1,[::1]:2/lull?sslmode=verify-full")
        #expect(uri["user"] == "me" && uri["host"] == "a.example.org,::1" && uri["dbname"] == "lull")
        #expect(uri["sslmode"] == "verify-full")
    }

    @Test(
        arguments: [
            ("dbname=lull", true), ("host=/run/postgresql", true), ("host=localhost", true),
            ("postgresql:///lull", true), ("postgresql://[::1]/lull", true),
            ("postgresql://%2Frun/lull", true),
            ("host=db.example.org", false), ("host=localhost,db", false),
            ("host=localhost hostaddr=10.0.0.7", false), ("service=lull", nil),
        ] as [(String, Bool?)])
    func `whether a network lies between is known where the text says it`(_ text: String, _ isLocal: Bool?)
        throws
    {
        #expect(try DatabaseAddress(text).isLocal == isLocal)
    }

    @Test func `what is none says what is wrong`() {
        #expect(throws: DatabaseAddress.Fault.empty) { try DatabaseAddress("  ") }
        #expect(throws: DatabaseAddress.Fault.noValue("lull")) { try DatabaseAddress("lull") }
        #expect(throws: DatabaseAddress.Fault.noValue("db")) { try DatabaseAddress("host=a db") }
        #expect(throws: DatabaseAddress.Fault.openQuote) { try DatabaseAddress("host='a") }
    }

    @Test func `a fleet's name fits a schema, and a label is short`() {
        for name in ["lull", "a", "prod_eu_2", String(repeating: "a", count: 40)] {
            #expect(FleetDefinition.isName(name), "\(name)")
        }
        for name in ["", "Lull", "1a", "a-b", "_a", "ä", "a\"b", String(repeating: "a", count: 41)] {
            #expect(!FleetDefinition.isName(name), "\(name)")
        }
        for label in ["zone", "A1", "example.org/role", "1"] { #expect(FleetDefinition.isLabel(label)) }
        for label in ["", "-a", ".a", "a b", "ä", String(repeating: "a", count: 64)] {
            #expect(!FleetDefinition.isLabel(label))
        }
        #expect(FleetDefinition.isLabelValue("eu west 1") && FleetDefinition.isLabelValue("ä"))
        #expect(!FleetDefinition.isLabelValue("") && !FleetDefinition.isLabelValue("a\nb"))
    }
}
