import Cloudlet
import CommandShell
import Foundation

extension ServerAccess {
    private struct Refusal: Decodable {
        let reason: String
    }

    /// Sets what is known of whoever is signed in, by the fields of `profile`.
    func describe(
        _ account: CloudAccount, in container: String, as fields: [String: String]
    ) async throws {
        let names = ["given": "givenName", "family": "familyName"]
        var body = ["container": container]
        for (field, value) in fields { body[names[field] ?? field] = value }
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        let token = account.webAuthToken?.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        try await post("/dev/account?ckWebAuthToken=\(token)", body)
    }

    /// Sets how many requests a person may send; nil: as the server was started.
    func setRate(_ requests: Int?, seconds: Int) async throws {
        try await post("/dev/rate", requests.map { ["requests": $0, "seconds": seconds] } ?? [:])
    }

    private func post(_ target: String, _ body: some Encodable) async throws {
        let bytes = Array(try JSONEncoder().encode(body))
        let response = try await transport.send(
            CloudRequest(.post, target, headers: ["Content-Type": "application/json"], body: .bytes(bytes)))
        if response.status == 200 { return }
        let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(response.bytes))
        throw Complaint(
            code: "refused", message: refusal?.reason ?? "the server answered with status \(response.status)",
            remedy: "development servers do this: \(invocation) --ephemeral")
    }
}
