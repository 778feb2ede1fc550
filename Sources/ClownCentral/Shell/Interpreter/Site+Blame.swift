// Owns asking the web services who wrote a record: the device is not in the framework's interface.
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

extension Site {
    private struct Lookup: Encodable {
        struct Record: Encodable { let recordName: String }
        struct Zone: Encodable { let zoneName: String }

        let records: [Record]
        let zoneID: Zone?
    }

    private struct Found: Decodable {
        let stamps: RecordStamps?

        init(from decoder: any Decoder) throws { stamps = try? RecordStamps(from: decoder) }
    }

    private struct Reply: Decodable {
        let records: [Found]
    }

    /// Who made and changed a record, in a zone of one's own or in public.
    func stamps(
        of record: String, zone: String?, in place: Session.Place, _ account: CloudAccount?
    ) async throws -> RecordStamps {
        let database = zone == nil ? "public" : "private"
        var target = "/database/1/\(place.container)/\(place.environment.rawValue)/\(database)/records/lookup"
        let values = [("ckAPIToken", apiToken), ("ckWebAuthToken", account?.webAuthToken)]
        let query = values.compactMap { name, value in value.map { "\(name)=\(Self.escaped($0))" } }
        if !query.isEmpty { target += "?" + query.joined(separator: "&") }
        let body = Lookup(records: [.init(recordName: record)], zoneID: zone.map { .init(zoneName: $0) })
        let response = try await transport.send(
            CloudRequest(
                .post, target, headers: ["Content-Type": "application/json"],
                body: .bytes(Array(try JSONEncoder().encode(body)))))
        let reply = try? JSONDecoder().decode(Reply.self, from: Data(response.bytes))
        guard let stamps = reply?.records.first?.stamps else {
            throw Complaint(
                code: "unknownItem", message: "there is no record \(record)",
                remedy: zone == nil ? "blame \(record) --zone ZONE" : nil)
        }
        return stamps
    }
}
