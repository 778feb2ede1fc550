package import AssetStore
import AsyncHTTPClient
package import Foundation
import NIOCore
import Records
import Synchronization

/// Keeps the files of a server in a bucket of an object store with the S3 protocol.
package final class BucketEngine: AssetEngine {
    private let http: HTTPClient
    private let client: BucketClient
    private let makeNumber: @Sendable () -> String

    /// The object with the identifier of the data folder to which the bucket is bound.
    private static let binding = "cloudlet-data-folder"

    /// - Parameters:
    ///   - makeNumber: Returns a random name of letters and digits.
    ///   - now: The system's time.
    ///   - timeout: How long an attempt waits for the beginning of an answer, and for each further piece.
    ///   - uptime: The time since any fixed moment. With a constant one, `warn` receives only the first
    ///     failure.
    ///   - warn: Receives a text for the operator when the object store fails and when it answers again.
    package init(
        _ address: BucketAddress, _ credentials: BucketCredentials,
        makeNumber: @escaping @Sendable () -> String, now: @escaping @Sendable () -> Date,
        pause: @escaping @Sendable (Duration) async throws -> Void, timeout: Duration = .seconds(30),
        uptime: @escaping @Sendable () -> Duration = { .zero },
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(5)
        configuration.timeout.read = TimeAmount(timeout)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        configuration.decompression = .disabled
        http = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
        let notice = Mutex(OutageNotice())
        client = BucketClient(
            http: http, address: address,
            signer: RequestSigner(credentials: credentials, region: address.region), now: now, pause: pause,
            timeout: TimeAmount(timeout)
        ) { failure in
            if let text = notice.withLock({ $0.note(failure: failure, at: uptime()) }) { warn(text) }
        }
        self.makeNumber = makeNumber
    }

    package var place: String { client.address.text }

    package var uploadBuffer: Int { IncomingObject.partBytes }

    /// All objects of the server.
    package var bucket: any ObjectBucket { client }

    package func storage(named name: String, node: String) -> any AssetStorage {
        BucketStorage(
            client, name: name, node: node, makeNumber: makeNumber, now: client.now, pause: client.pause)
    }

    package func address(of fileChecksum: String, named name: String, seconds: Int) -> String? {
        guard client.address.isReadByClients, let content = AssetChecksum(text: fileChecksum) else {
            return nil
        }
        let key = BucketLayout(database: name + "/", node: "").key(of: content)
        let parts = RequestSigner.Parts(
            method: "GET", host: client.address.host, path: client.address.path(of: key))
        // A browser must not run a file of one person as a page of the object store.
        let query = client.signer.query(
            for: parts, at: client.now(), seconds: seconds,
            further: [("response-content-type", "application/octet-stream")])
        return "\(client.address.scheme)://\(parts.host)\(parts.path)?\(query)"
    }

    package func remove(below path: String) async throws {
        try await client.deleteAll(path + "/")
    }

    package func usage(below path: String) async throws -> (files: Int64, bytes: Int64) {
        var (files, bytes) = (Int64(0), Int64(0))
        try await client.forEach(path + "/") { object in
            bytes = bytes.addingSaturated(object.size)
            if object.key.contains("-assets/content/") { files += 1 }
        }
        return (files, bytes)
    }

    /// Throws `BucketProblem` if the bucket cannot be used. It lists, writes, reads and deletes, as the
    /// server will.
    package func bind(to folder: String?) async throws -> String? {
        var client = client
        client.showsProblems = true
        _ = try await client.list(Self.binding, after: nil)
        let probe = "\(Self.binding)-\(makeNumber())"
        _ = try await client.put(ByteBuffer(string: "A server checks whether it may write."), as: probe)
        try await client.delete(probe)
        if let folder, try await bound(client) == nil {
            try await client.putIfMissing(ByteBuffer(string: folder + "\n"), as: Self.binding)
        }
        return try await bound(client)
    }

    private func bound(_ client: BucketClient) async throws -> String? {
        let bytes = try await client.get(Self.binding, in: 0..<100, ifTagged: nil)
        return bytes.map { String(buffer: $0).trimmingCharacters(in: .whitespacesAndNewlines) }
    }

    package func close() async {
        try? await http.shutdown()
    }
}
