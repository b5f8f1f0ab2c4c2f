import LullWire
import Testing

struct RefusedRegistrationTests {
    @Test(arguments: ["com.example.Feed.refresh", "", "it's", "', which"])
    func `the identifier comes out as it went in`(identifier: String) {
        let line = RefusedRegistration.line(identifier)
        #expect(RefusedRegistration.identifier(in: line) == identifier)
        #expect(RefusedRegistration.identifier(in: line + " ") == nil)
    }

    @Test(arguments: ["", "It tries to register '", "No handler for x was registered."])
    func `another line has none`(line: String) {
        #expect(RefusedRegistration.identifier(in: line) == nil)
    }
}
