import Cloudlet
import Foundation

extension Lab {
    /// Records the responses that a client gets from a server with records in a private zone.
    ///
    /// - Parameter sync: Fetches all records, with a transport and a web auth token.
    func recordFirstSync(
        of count: Int, in zone: String, by sync: (any CloudTransport, String) async throws -> Void
    ) async throws -> RecordingTransport {
        let filling: (CloudletSubject) throws -> Void = { server in
            try server.makeZone(zone)
            try server.fill(count, seed: seed, in: .private, zone: zone)
        }
        return try await recordFirstSync(fillingWith: filling, by: sync)
    }

    /// Records the responses that a client gets from a server.
    ///
    /// - Parameters:
    ///   - filling: Stores the records, through a server without limits.
    ///   - sync: Fetches all records, with a transport and a web auth token.
    func recordFirstSync(
        fillingWith filling: (CloudletSubject) throws -> Void,
        by sync: (any CloudTransport, String) async throws -> Void
    ) async throws -> RecordingTransport {
        let data = try newFolder()
        try fill(data, filling)
        let server = try CloudletSubject(data: data)
        defer { server.stop() }
        let address = server.process.address
        guard let url = URL(string: "http://\(address.host):\(address.port)") else {
            throw BenchmarkError("\(address) is not an address")
        }
        let transport = RecordingTransport(HTTPTransport(url: url))
        try await sync(transport, try server.signIn())
        return transport
    }

    /// A container for a client that is signed in.
    func container(_ transport: any CloudTransport, token: String = "any") -> CKContainer {
        let connection = CloudConnection(
            transport: transport, apiToken: "benchmarks", webAuthToken: token)
        return CKContainer(identifier: CloudletSubject.container, connection: connection)
    }
}
