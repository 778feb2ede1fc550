/// The metadata of a record that queries can use. The raw value is the name in schemas.
package enum SystemField: String, Hashable, Sendable, CaseIterable {
    case recordName = "___recordID"
    case createdTimestamp = "___createTime"
    case createdUserRecordName = "___createdBy"
    case modifiedTimestamp = "___modTime"
    case modifiedUserRecordName = "___modifiedBy"
    case parent = "___parent"
    case share = "___share"

    /// Parses the name in schemas, the name in web services, or the key path of `CKRecord`.
    package init?(spelling: String) {
        if let field = SystemField(rawValue: spelling) {
            self = field
            return
        }
        switch spelling {
        case "recordName", "recordID", "___recordId": self = .recordName
        case "createdTimestamp", "creationDate": self = .createdTimestamp
        case "createdUserRecordName", "creatorUserRecordID": self = .createdUserRecordName
        case "modifiedTimestamp", "modificationDate": self = .modifiedTimestamp
        case "modifiedUserRecordName", "lastModifiedUserRecordID": self = .modifiedUserRecordName
        case "parent": self = .parent
        case "share": self = .share
        default: return nil
        }
    }

    /// The fields that schemas list with every type, sorted by name.
    package static let inSchemas: [SystemField] = [
        .createdTimestamp, .createdUserRecordName, .modifiedTimestamp, .modifiedUserRecordName, .recordName,
    ]

    /// The value of `systemFieldName` in requests.
    package var wireName: String {
        switch self {
        case .recordName: "recordName"
        case .createdTimestamp: "createdTimestamp"
        case .createdUserRecordName: "createdUserRecordName"
        case .modifiedTimestamp: "modifiedTimestamp"
        case .modifiedUserRecordName: "modifiedUserRecordName"
        case .parent: "parent"
        case .share: "share"
        }
    }

    package var type: ScalarType {
        switch self {
        case .createdTimestamp, .modifiedTimestamp: .timestamp
        case .recordName, .createdUserRecordName, .modifiedUserRecordName, .parent, .share: .reference
        }
    }
}
