import CloudletServer
import RecordsWire

@testable import TestKit

extension ServerWorld {
    /// Sends a call of the operator, for example `containers`.
    @discardableResult
    func operate(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> Reply {
        try await send(
            method, "/operator/1/" + path, headers: ["Authorization": "Bearer \(server.operatorKey)"],
            body: try body?.encoded() ?? []
        )
    }
}
