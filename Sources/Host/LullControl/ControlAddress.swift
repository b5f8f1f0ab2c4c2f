import Glibc
import LullSystem

/// Where the host of a state folder listens.
public enum ControlAddress {
    public static func path(in stateFolder: String) -> String { stateFolder + "/control.sock" }

    /// Calls `body` with the address of a Unix socket.
    static func withAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) throws(ControlError) -> Result {
        guard let address = UnixAddress(path) else { throw .pathTooLong(path: path) }
        return address.with(body)
    }
}
