import Glibc
import System

/// A port of 127.0.0.1 that the kernel gives to nobody who asks for any, as long as this lives. A service that is told its
/// number can listen there (SO_REUSEADDR); while none does, a connection is refused, and nobody else's service takes it.
final class LoopbackPort {
    let number: UInt16
    private let socket: FileDescriptor

    /// - Throws: `SystemError`.
    init() throws {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError(code: errno, call: "socket") }
        socket = FileDescriptor(owning: descriptor)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0 ? 0 : errno
            }
        }
        guard code == 0 else { throw SystemError(code: code, call: "bind") }
        number = UInt16(bigEndian: address.sin_port)
    }
}
