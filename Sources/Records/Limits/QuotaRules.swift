/// The storage quota of records and files. A public database counts against its container, whose quota grows
/// with the number of users; private databases count against their person. The defaults are CloudKit's
/// published quota.
///
/// A write beyond the quota fails with `QUOTA_EXCEEDED`. From 80 % on, answers carry a warning in the header
/// `X-Cloudlet-Quota`.
public struct QuotaRules: Hashable, Sendable {
    /// Bytes of files in a public database, regardless of the number of users.
    public var publicAssetBytes: Int64 = 10_000_000_000
    /// Bytes of records in a public database, regardless of the number of users.
    public var publicRecordBytes: Int64 = 100_000_000
    /// Bytes of files per user of the container, used if the product is larger: 1 PB for ten million users.
    public var publicAssetBytesPerUser: Int64 = 100_000_000
    /// Bytes of records per user of the container, used if the product is larger: 10 TB for ten million
    /// users.
    public var publicRecordBytesPerUser: Int64 = 1_000_000
    /// The number of users up to which the quota grows.
    public var mostUsers: Int64 = 10_000_000
    /// Bytes of a person's private databases in all containers, files included.
    public var personBytes: Int64 = 5_000_000_000
    /// Percent of the quota of a public database for the records that one person created, and for their
    /// files; 100 or more: unlimited. Saves with a server-to-server key are not subject to it.
    public var publicPersonPercent: Int64 = 10

    /// The default quota.
    public init() {}

    /// The quota in bytes of a public database whose container has this number of users.
    package func publicBytes(users: Int64) -> (assets: Int64, records: Int64) {
        let users = min(max(0, users), mostUsers)
        return (
            max(publicAssetBytes, users.multipliedSaturated(by: publicAssetBytesPerUser)),
            max(publicRecordBytes, users.multipliedSaturated(by: publicRecordBytesPerUser))
        )
    }

    /// The bytes that one person may use of this number of bytes of a public database; nil: all.
    package func personShare(of bytes: Int64) -> Int64? {
        publicPersonPercent >= 100 ? nil : bytes.multipliedSaturated(by: max(0, publicPersonPercent)) / 100
    }
}
