/// What the records of one creator take up in a public database.
package struct CreatorReport: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case person
        /// The server-to-server keys of the container, which have one user record name together.
        case serverKeys
        /// The operators of the console.
        case operators
    }

    package var userRecordName: String
    package var kind: Kind
    /// The sign-in name of a person: for pages of the console, only if the person can be found in the
    /// container, otherwise nil.
    package var person: String?
    /// The number of records.
    package var records: Int64
    /// The bytes of their names and fields.
    package var recordBytes: Int64
    /// The bytes of their files.
    package var assetBytes: Int64

    package init(
        userRecordName: String, kind: Kind = .person, person: String? = nil, records: Int64,
        recordBytes: Int64, assetBytes: Int64
    ) {
        self.userRecordName = userRecordName
        self.kind = kind
        self.person = person
        self.records = records
        self.recordBytes = recordBytes
        self.assetBytes = assetBytes
    }

    /// The bytes of records and files together.
    package var bytes: Int64 { recordBytes.addingSaturated(assetBytes) }

    /// The place in the list from which the next page goes on.
    package var place: String { "\(bytes):\(userRecordName)" }
}
