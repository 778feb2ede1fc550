// Owns how much room there is for whom.

/// What records and files may take up (talks 1 and 2: public data counts on the app, private data on the
/// person; an app's room grows with the number of its users).
package struct QuotaRules: Hashable, Sendable {
    /// Bytes of files in a public database, whoever uses the container.
    package var publicAssetBytes: Int64
    /// Bytes of records in a public database, whoever uses the container.
    package var publicRecordBytes: Int64
    /// Bytes of files for each user of the container, where that is more.
    package var publicAssetBytesPerUser: Int64
    /// Bytes of records for each user of the container, where that is more.
    package var publicRecordBytesPerUser: Int64
    /// The users for whom room grows; beyond them it does not.
    package var mostUsers: Int64
    /// Bytes of a person's private databases, files included, in all containers together.
    package var personBytes: Int64

    package init(
        publicAssetBytes: Int64, publicRecordBytes: Int64, publicAssetBytesPerUser: Int64,
        publicRecordBytesPerUser: Int64, mostUsers: Int64, personBytes: Int64
    ) {
        self.publicAssetBytes = publicAssetBytes
        self.publicRecordBytes = publicRecordBytes
        self.publicAssetBytesPerUser = publicAssetBytesPerUser
        self.publicRecordBytesPerUser = publicRecordBytesPerUser
        self.mostUsers = mostUsers
        self.personBytes = personBytes
    }

    /// What files and records of a public database may take up when the container has so many users.
    package func publicBytes(users: Int64) -> (assets: Int64, records: Int64) {
        let users = min(max(0, users), mostUsers)
        return (
            max(publicAssetBytes, users.multipliedSaturated(by: publicAssetBytesPerUser)),
            max(publicRecordBytes, users.multipliedSaturated(by: publicRecordBytesPerUser))
        )
    }
}
