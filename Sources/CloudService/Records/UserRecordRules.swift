import Records

/// Rules for user records. The server creates them when they are first looked up or changed: one for each
/// person of the container in the public database, and the owner's in a private one. Clients can neither
/// create nor delete them.
enum UserRecordRules {
    static let type = "Users"

    /// Whether the text is the record name of a person: `_` and 32 lower-case hexadecimal digits.
    static func isName(_ name: String) -> Bool {
        let text = name.utf8
        return text.count == 33 && text.first == UInt8(ascii: "_")
            && text.dropFirst().allSatisfy {
                (48...57).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    /// The refusal of an operation that creates or deletes a user record; nil for other operations.
    static func refusal(of operation: RecordOperation) -> RecordError? {
        let isName = operation.recordName.map(isName) ?? false
        if isName, operation.kind.isDelete { return refusal("WRITE", operation) }
        let makes = operation.kind == .create || (operation.kind.mayCreate && !isName)
        if makes, operation.recordType == type { return refusal("CREATE", operation) }
        return nil
    }

    /// The refusal of an operation that would create a user record because none is stored; nil for other
    /// operations.
    static func refusal(of operation: RecordOperation, on existing: StoredRecord?) -> RecordError? {
        guard existing == nil, operation.kind.mayCreate, operation.recordName.map(isName) ?? false else {
            return nil
        }
        return refusal("CREATE", operation)
    }

    private static func refusal(_ permission: String, _ operation: RecordOperation) -> RecordError {
        var error = RecordError(
            .accessDenied, "\(permission) operation not permitted", culprit: operation.recordName,
            nextStep: "fetch your own user record and save changes to it: the server creates user records"
        )
        error.recordType = type
        return error
    }
}
