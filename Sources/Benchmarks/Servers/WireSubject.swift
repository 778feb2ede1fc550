import Foundation

/// The baseline server in a child process.
final class WireSubject {
    private let process: ChildProcess

    /// - Parameter folder: The folder for files.
    init(folder: URL) throws {
        process = try ChildProcess(arguments: ["serve-wire", "--folder", folder.path])
    }

    func stop() {
        process.stop()
    }

    func client(connections: Int) -> LoadClient {
        LoadClient(address: process.address, connections: connections)
    }

    /// A request with this body; the response has `count` bytes.
    func exchange(body: [[UInt8]], answer count: Int) -> LoadRequest {
        LoadRequest("POST", "/bytes/\(count)", body: body)
    }

    func upload(_ name: String, body: [[UInt8]]) -> LoadRequest {
        LoadRequest("POST", "/files/\(name)", body: body)
    }

    func download(_ name: String) -> LoadRequest {
        LoadRequest("GET", "/files/\(name)")
    }
}
