import Records

/// User records are made by the server when somebody looks for them, one for each person of the container in
/// the public database and the person's own in the private one. Nobody else can make or delete one.
enum UserRecordRules {
    static let type = "Users"

    /// Whether it is the record name of a person: `_` and 32 hexadecimal digits.
    static func isName(_ name: String) -> Bool {
        let text = name.utf8
        return text.count == 33 && text.first == UInt8(ascii: "_")
            && text.dropFirst().allSatisfy {
                (48...57).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    /// The refusal of an operation whatever is stored: to make or to delete a user record.
    static func refusal(of operation: RecordOperation) -> RecordError? {
        let isName = operation.recordName.map(isName) ?? false
        if isName, operation.kind.isDelete { return refusal("WRITE", operation) }
        let makes = operation.kind == .create || (operation.kind.mayCreate && !isName)
        if makes, operation.recordType == type { return refusal("CREATE", operation) }
        return nil
    }

    /// The refusal of an operation on what is stored: to make a user record of nobody.
    static func refusal(of operation: RecordOperation, on existing: StoredRecord?) -> RecordError? {
        guard existing == nil, operation.kind.mayCreate, operation.recordName.map(isName) ?? false else {
            return nil
        }
        return refusal("CREATE", operation)
    }

    private static func refusal(_ permission: String, _ operation: RecordOperation) -> RecordError {
        RecordError(
            .accessDenied, "\(permission) operation not permitted", culprit: operation.recordName,
            nextStep: "fetch your own user record and save changes to it: the server creates user records"
        )
    }
}
