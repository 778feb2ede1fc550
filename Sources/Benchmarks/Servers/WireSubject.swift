/// The wire baseline in a process of its own.
final class WireSubject {
    private let process: ChildProcess

    init() throws {
        process = try ChildProcess(arguments: ["serve-wire"])
    }

    func stop() {
        process.stop()
    }

    func client(connections: Int) -> LoadClient {
        LoadClient(address: process.address, connections: connections)
    }

    /// A request with this body that is answered with `count` bytes.
    func exchange(body: [[UInt8]], answer count: Int) -> LoadRequest {
        LoadRequest("POST", "/bytes/\(count)", body: body)
    }

    func download(_ count: Int) -> LoadRequest {
        LoadRequest("GET", "/bytes/\(count)")
    }
}
