import CommandShell
import Records
import RecordsWire

extension ServerAccess {
    /// The record types of a container, sorted by name; empty for a container that does not exist yet.
    func recordTypes(in place: CloudSession.ContainerEnvironment) async throws -> [RecordTypeReport] {
        let (container, environment) = (place.container, place.callEnvironment)
        do {
            if operatorKey != nil { return try await send(ReadSchema(of: container, environment)).types }
            return try await send(ReadTypes(of: container, environment)).types
        } catch let error as RecordError {
            switch error.code.wireName {
            // Only the container can be missing in this call.
            case "NOT_FOUND": return []
            case "ACCESS_DENIED" where operatorKey == nil:
                var shellError = error.shellError
                shellError.message = "this server shows its schema only with the operator's key"
                shellError.remedy = Self.keyHint
                throw shellError
            default: throw error
            }
        }
    }
}

extension RecordTypeReport {
    /// The fields of this type without system fields.
    var ownFields: [Field] { fields.filter { !$0.isSystem } }
}

extension RecordTypeReport.Field {
    /// The field's key in predicates; nil if predicates cannot use it.
    var key: String? { isSystem ? Self.systemKeys[name] : name }

    private static let systemKeys = [
        "___createTime": "creationDate", "___createdBy": "creatorUserRecordID",
        "___modTime": "modificationDate", "___modifiedBy": "lastModifiedUserRecordID",
        "___recordID": "recordID",
    ]
}
