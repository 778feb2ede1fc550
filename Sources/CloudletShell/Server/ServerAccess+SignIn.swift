import Cloudlet
import CommandShell
import Foundation

extension ServerAccess {
    private struct Request: Encodable {
        let name: String
    }

    private struct Reply: Decodable {
        let ckWebAuthToken: String
    }

    private struct Refusal: Decodable {
        let reason: String
    }

    /// Signs a person in by name and answers the token.
    func signIn(_ person: String) async throws -> String {
        let body = CloudRequest.Body.bytes(Array(try JSONEncoder().encode(Request(name: person))))
        let headers: CloudHeaders = ["Content-Type": "application/json"]
        let response = try await transport.send(
            CloudRequest(.post, "/dev/sign-in", headers: headers, body: body))
        guard response.status == 200,
            let reply = try? JSONDecoder().decode(Reply.self, from: Data(response.bytes))
        else {
            let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(response.bytes))
            let reason = refusal?.reason ?? "status \(response.status)"
            throw Complaint(
                code: "signInRefused",
                message: "the server does not let \(person) sign in by name: \(reason)",
                // Closed to names alone, it may still take a password.
                remedy: response.status == 403 ? "sign-in \(person)" : nil,
                exit: .notSignedIn
            )
        }
        return reply.ckWebAuthToken
    }
}
