/// What records and files may take up: public databases on the container, growing with its users, private
/// ones on the person. By default the quota of the real service, as far as it has been told.
///
/// A write beyond the quota is refused with `QUOTA_EXCEEDED`; from 80 % on, answers warn in
/// `X-Cloudlet-Quota`.
public struct QuotaRules: Hashable, Sendable {
    /// Bytes of files in a public database, whoever uses the container.
    public var publicAssetBytes: Int64 = 10_000_000_000
    /// Bytes of records in a public database, whoever uses the container.
    public var publicRecordBytes: Int64 = 100_000_000
    /// Bytes of files for each user of the container, where that is more: 1 PB for ten million users.
    public var publicAssetBytesPerUser: Int64 = 100_000_000
    /// Bytes of records for each user of the container, where that is more: 10 TB for ten million users.
    public var publicRecordBytesPerUser: Int64 = 1_000_000
    /// The users for whom room grows; beyond them it does not.
    public var mostUsers: Int64 = 10_000_000
    /// Bytes of a person's private databases, files included, in all containers together.
    public var personBytes: Int64 = 5_000_000_000

    /// The quota of the real service.
    public init() {}

    /// What files and records of a public database may take up when the container has that many users.
    package func publicBytes(users: Int64) -> (assets: Int64, records: Int64) {
        let users = min(max(0, users), mostUsers)
        return (
            max(publicAssetBytes, users.multipliedSaturated(by: publicAssetBytesPerUser)),
            max(publicRecordBytes, users.multipliedSaturated(by: publicRecordBytesPerUser))
        )
    }
}
