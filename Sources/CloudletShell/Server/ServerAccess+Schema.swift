import Cloudlet
import CommandShell
import Foundation

/// A record type as a server tells it.
struct RecordTypeReply: Decodable, Sendable {
    /// A field, and how it can be asked for.
    struct Item: Decodable, Sendable {
        let name: String
        let type: String
        /// Whether every record has it, whatever its type.
        let isSystem: Bool
        let queryable: Bool
        let sortable: Bool
        let searchable: Bool

        /// What predicates call it; nothing where they cannot name it.
        var key: String? { isSystem ? Self.systemKeys[name] : name }

        var indexCount: Int { [queryable, sortable, searchable].count { $0 } }

        private static let systemKeys = [
            "___createTime": "creationDate", "___createdBy": "creatorUserRecordID",
            "___modTime": "modificationDate", "___modifiedBy": "lastModifiedUserRecordID",
            "___recordID": "recordID",
        ]
    }

    /// What a role may do with records of the type in public.
    struct Grant: Decodable, Sendable {
        let role: String
        let permissions: [String]
    }

    let name: String
    let fields: [Item]
    let grants: [Grant]

    /// The fields that records of this type have of their own.
    var ownFields: [Item] { fields.filter { !$0.isSystem } }
}

extension ServerAccess {
    private struct Reply: Decodable {
        let types: [RecordTypeReply]
    }

    /// The record types of a container by name; none of one that nobody has used yet.
    func recordTypes(in place: CloudSession.Place) async throws -> [RecordTypeReply] {
        do {
            let reply: Reply
            if operatorKey == nil {
                let (container, environment) = (Self.escaped(place.container), place.environment.rawValue)
                reply = try await send(
                    .get, "/dev/schema?container=\(container)&environment=\(environment)", [:],
                    OperatorBody())
            } else {
                reply = try await call(
                    .get, ["containers", place.container, place.environment.rawValue, "schema"],
                    OperatorBody())
            }
            return reply.types
        } catch let complaint as Complaint where complaint.code == "notFound" {
            // There is no such container yet; that is all that such a call does not find.
            return []
        } catch var complaint as Complaint where complaint.code == "accessDenied" && operatorKey == nil {
            complaint.message = "this server tells its schema only to whoever has the operator's key"
            complaint.remedy = Self.wayToKey
            throw complaint
        }
    }
}
