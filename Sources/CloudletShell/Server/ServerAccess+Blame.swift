import Cloudlet
import Foundation

/// Who wrote a record, and when.
struct RecordStamps: Decodable, Sendable {
    struct Stamp: Decodable, Sendable {
        let timestamp: Double
        let userRecordName: String
        let deviceID: String?

        /// One's own private records name nobody else.
        var isMine: Bool { userRecordName == CKCurrentUserDefaultName }
    }

    let created: Stamp
    let modified: Stamp
    let recordChangeTag: String
}

extension ServerAccess {
    private struct Lookup: Encodable {
        struct Record: Encodable { let recordName: String }
        struct Zone: Encodable { let zoneName: String }

        let records: [Record]
        let zoneID: Zone?
    }

    private struct Reply: Decodable {
        let records: [RecordStamps]
    }

    /// Who made and changed a record, in a zone of one's own or in public; nothing when the server cannot be
    /// reached, or answers anything else.
    func stamps(
        of record: String, zone: String?, in place: CloudSession.Place, _ account: CloudAccount?,
        device: String
    ) async throws -> RecordStamps? {
        let database = zone == nil ? "public" : "private"
        var target = "/database/1/\(place.container)/\(place.environment.rawValue)/\(database)/records/lookup"
        let values = [("ckAPIToken", apiToken), ("ckWebAuthToken", account?.webAuthToken)]
        let query = values.compactMap { name, value in value.map { "\(name)=\(Self.escaped($0))" } }
        if !query.isEmpty { target += "?" + query.joined(separator: "&") }
        let body = Lookup(records: [.init(recordName: record)], zoneID: zone.map { .init(zoneName: $0) })
        let request = CloudRequest(
            .post, target, headers: ["Content-Type": "application/json"],
            body: .bytes(Array(try JSONEncoder().encode(body))))
        do {
            let response = try await network.way(of: device, over: transport).send(request)
            guard response.status == 200 else { return nil }
            return try? JSONDecoder().decode(Reply.self, from: Data(response.bytes)).records.first
        } catch is CloudTransportError {
            return nil
        }
    }
}
