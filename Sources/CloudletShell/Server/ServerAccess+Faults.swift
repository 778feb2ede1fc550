import Cloudlet
import CommandShell
import Foundation

/// A fault on a server, with its history.
struct FaultInForce: Decodable, Hashable, Sendable {
    let id: Int
    let name: String
    let endpoint: String?
    let device: String?
    /// The first of the calls that it befalls: 1 was the next one.
    let first: Int
    /// How many calls it befalls; all if nothing.
    let count: Int?
    /// Calls that it was about.
    let met: Int
    /// Calls that it befell.
    let struck: Int

    /// Whether nothing is left of it.
    var isUsedUp: Bool {
        count.map { struck >= $0 } ?? false
    }
}

extension ServerAccess {
    private struct Change: Encodable {
        struct Addition: Encodable {
            let name: String
            let endpoint: String?
            let device: String?
            let first: Int?
            let count: Int?
            let seconds: Int?
        }

        var add: Addition?
        var remove: Int?
        var clear: Bool?
    }

    private struct Reply: Decodable {
        let faults: [FaultInForce]
    }

    private struct Refusal: Decodable {
        let reason: String
    }

    /// The faults of the server in the order in which they were added, those that are used up included.
    func faults() async throws -> [FaultInForce] {
        try await send(CloudRequest(.get, "/dev/faults"))
    }

    /// Puts a fault in force.
    func add(_ fault: FaultRequest) async throws -> [FaultInForce] {
        let addition = Change.Addition(
            name: fault.name,
            endpoint: fault.endpoint,
            device: fault.device,
            first: fault.after.map { $0 + 1 },
            count: fault.times,
            seconds: fault.seconds
        )
        return try await change(Change(add: addition))
    }

    /// Ends one fault.
    func removeFault(_ id: Int) async throws -> [FaultInForce] {
        try await change(Change(remove: id))
    }

    /// Ends all faults.
    func clearFaults() async throws -> [FaultInForce] {
        try await change(Change(clear: true))
    }

    private func change(_ change: Change) async throws -> [FaultInForce] {
        let body = CloudRequest.Body.bytes(Array(try JSONEncoder().encode(change)))
        let headers: CloudHeaders = ["Content-Type": "application/json"]
        return try await send(CloudRequest(.post, "/dev/faults", headers: headers, body: body))
    }

    private func send(_ request: CloudRequest) async throws -> [FaultInForce] {
        let response = try await transport.send(request)
        let data = Data(response.bytes)
        if response.status == 200, let reply = try? JSONDecoder().decode(Reply.self, from: data) {
            return reply.faults
        }
        let refusal = (try? JSONDecoder().decode(Refusal.self, from: data))?.reason
        throw Complaint(
            code: "faultsRefused",
            message: "the server does not let things go wrong on purpose"
                + " (\(refusal ?? "status \(response.status)"))",
            remedy: "\(invocation) --ephemeral, or a server of cloudlet serve --ephemeral"
        )
    }
}
