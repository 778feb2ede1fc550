import CloudletServer
import RecordsWire

@testable import TestKit

extension ServerWorld {
    /// Makes one of the operator's calls: `containers`, for example.
    @discardableResult
    func operate(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> Reply {
        try await send(
            method, "/operator/1/" + path, headers: ["Authorization": "Bearer \(server.operatorKey)"],
            body: try body?.encoded() ?? []
        )
    }
}
