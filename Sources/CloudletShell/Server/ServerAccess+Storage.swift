import Cloudlet
import Foundation

extension ServerAccess {
    private struct Reply: Decodable {
        let assetFiles: Int
    }

    /// How many files the server keeps for the records of a container; equal contents are kept once.
    /// Nothing of a server that does not tell.
    func assetFileCount(in container: String) async throws -> Int? {
        let target = "/dev/storage?container=\(Self.escaped(container))"
        let response = try await transport.send(CloudRequest(.get, target))
        guard response.status == 200 else { return nil }
        return try? JSONDecoder().decode(Reply.self, from: Data(response.bytes)).assetFiles
    }
}
