import CommandShell
import Records
import RecordsWire

extension ServerAccess {
    /// The record types of a container by name; an empty list for a container that nobody has used yet.
    func recordTypes(in place: CloudSession.Place) async throws -> [RecordTypeReport] {
        let (container, environment) = (place.container, place.callEnvironment)
        do {
            if operatorKey != nil { return try await send(ReadSchema(of: container, environment)).types }
            return try await send(ReadTypes(of: container, environment)).types
        } catch let error as RecordError {
            switch error.code.wireName {
            // The container is the only thing that such a call can miss.
            case "NOT_FOUND": return []
            case "ACCESS_DENIED" where operatorKey == nil:
                var complaint = error.complaint
                complaint.message = "this server shows its schema only with the operator's key"
                complaint.remedy = Self.wayToKey
                throw complaint
            default: throw error
            }
        }
    }
}

extension RecordTypeReport {
    /// The fields that records of this type have of their own.
    var ownFields: [Field] { fields.filter { !$0.isSystem } }
}

extension RecordTypeReport.Field {
    /// The name of the field in predicates; nil where they cannot name it.
    var key: String? { isSystem ? Self.systemKeys[name] : name }

    private static let systemKeys = [
        "___createTime": "creationDate", "___createdBy": "creatorUserRecordID",
        "___modTime": "modificationDate", "___modifiedBy": "lastModifiedUserRecordID",
        "___recordID": "recordID",
    ]
}
