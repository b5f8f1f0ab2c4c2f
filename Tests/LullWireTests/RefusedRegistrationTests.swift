import LullWire
import Testing

struct RefusedRegistrationTests {
    @Test(arguments: ["com.example.Feed.refresh", "", "it's", "', which"])
    func `the identifier comes out as it went in`(identifier: String) {
        let line = RefusedRegistration.line(identifier)
        #expect(RefusedRegistration.identifier(in: line) == identifier)
        #expect(RefusedRegistration.identifier(in: line + " ") == nil)
    }

    @Test func `a name without a dot is told how it is written whole`() {
        let line = RefusedRegistration.line("StormyNoon", of: "com.example.Stormy")
        #expect(
            line
                == "It tries to register 'StormyNoon', but an identifier has a dot. Write 'com.example.Stormy.StormyNoon' "
                + "in the code; jobs.yaml calls it StormyNoon.")
        #expect(RefusedRegistration.identifier(in: line) == "StormyNoon")
        #expect(RefusedRegistration.line("a.b", of: "c.d") == RefusedRegistration.line("a.b"))
    }

    @Test(arguments: ["", "It tries to register '", "No handler for x was registered."])
    func `another line has none`(line: String) {
        #expect(RefusedRegistration.identifier(in: line) == nil)
    }
}
