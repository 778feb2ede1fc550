import Cloudlet
import CommandShell
import Foundation

/// One thing that happened to a push.
struct PushTraceLine: Decodable, Hashable, Sendable {
    let number: Int
    let user: String
    let subscription: String?
    let device: String?
    let outcome: String
    let reason: String?
}

extension ServerAccess {
    private struct Reply: Decodable {
        let trace: [PushTraceLine]
    }

    /// What became of the last pushes to a person, oldest first.
    func pushTrace(of user: String) async throws -> [PushTraceLine] {
        let response = try await transport.send(CloudRequest(.get, "/dev/push-trace"))
        guard response.status == 200,
            let reply = try? JSONDecoder().decode(Reply.self, from: Data(response.bytes))
        else {
            throw Complaint(
                code: "traceRefused", message: "the server does not show what becomes of pushes",
                remedy: "\(invocation) --ephemeral")
        }
        return reply.trace.filter { $0.user == user }
    }
}
