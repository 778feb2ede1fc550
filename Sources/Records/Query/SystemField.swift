/// Metadata of a record that a query may use.
package enum SystemField: String, Hashable, Sendable, CaseIterable {
    case recordName = "___recordID"
    case createdTimestamp = "___createTime"
    case createdUserRecordName = "___createdBy"
    case modifiedTimestamp = "___modTime"
    case modifiedUserRecordName = "___modifiedBy"
    case parent = "___parent"
    case share = "___share"

    /// Recognises the schema's spelling, that of the web services and that of the key paths.
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

    /// Those that schemas list with every type, in the order of their names.
    package static let inSchemas: [SystemField] = [
        .createdTimestamp, .createdUserRecordName, .modifiedTimestamp, .modifiedUserRecordName, .recordName,
    ]

    /// The spelling that `systemFieldName` has on the wire.
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
