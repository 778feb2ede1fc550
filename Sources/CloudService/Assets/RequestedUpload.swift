package import Records

/// A file that a caller wants to upload.
package struct RequestedUpload: Hashable, Sendable {
    package var recordName: String?
    package var recordType: String?
    package var fieldName: String
    /// Checksum and size of the file, if the caller knows them.
    package var content: Asset?

    package init(
        recordName: String? = nil, recordType: String? = nil, fieldName: String, content: Asset? = nil
    ) {
        self.recordName = recordName
        self.recordType = recordType
        self.fieldName = fieldName
        self.content = content
    }

    /// Throws `badRequest` unless the names are valid. Tickets contain them, and used tickets are kept until
    /// they expire. The record may be one that exists, so its name may be reserved.
    func checkNames(_ limits: Limits) throws(RecordError) {
        if let recordName {
            try NameRules.checkRecordName(recordName, limits: limits, mayBeReserved: true)
        }
        if let recordType { try NameRules.checkTypeName(recordType, limits: limits) }
        try NameRules.checkFieldName(fieldName, limits: limits)
    }
}
