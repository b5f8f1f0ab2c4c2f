import CLullCurl
import Glibc
import Testing

/// The addresses that a pattern of hosts does not permit.
struct NearAddressTests {
    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.0.9", true), ("0.0.0.0", true), ("169.254.169.254", true),
        ("::1", true), ("::", true), ("fe80::1", true), ("::ffff:127.0.0.1", true),
        ("::ffff:169.254.0.1", true), ("128.0.0.1", false), ("169.253.255.255", false), ("10.0.0.1", false),
        ("::ffff:10.0.0.1", false),
        ("fd00::1", false), ("2001:db8::1", false),
    ])
    func `addresses of this machine and its link are known`(text: String, isNear: Bool) {
        var (six, four) = (sockaddr_in6(), sockaddr_in())
        let isNearNow: Int32
        if inet_pton(AF_INET, text, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            isNearNow = withUnsafePointer(to: &four) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1, lull_is_near)
            }
        } else {
            #expect(inet_pton(AF_INET6, text, &six.sin6_addr) == 1)
            six.sin6_family = sa_family_t(AF_INET6)
            isNearNow = withUnsafePointer(to: &six) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1, lull_is_near)
            }
        }
        #expect((isNearNow != 0) == isNear)
    }
}
