// Owns the quota of a server as its user sets it.

import Records

extension ServerLimits {
    /// What records and files may take up: public databases on the container, growing with its users, private
    /// ones on the person. What is over it is refused with `QUOTA_EXCEEDED`; from 80 % on, answers warn in
    /// `X-Cloudlet-Quota`.
    public struct Quota: Hashable, Sendable {
        /// Bytes of records in a public database, whoever uses the container: 100 MB.
        public var publicRecordBytes: Int64 = 100_000_000
        /// Bytes of files in a public database, whoever uses the container: 10 GB.
        public var publicAssetBytes: Int64 = 10_000_000_000
        /// Bytes of records for each user, where that is more: 1 MB, and so 10 TB for ten million.
        public var publicRecordBytesPerUser: Int64 = 1_000_000
        /// Bytes of files for each user, where that is more: 100 MB, and so 1 PB for ten million.
        public var publicAssetBytesPerUser: Int64 = 100_000_000
        /// The users for whom room grows: ten million.
        public var mostUsers: Int64 = 10_000_000
        /// Bytes of a person's private databases, files included, in all containers together: 5 GB.
        public var personBytes: Int64 = 5_000_000_000

        /// The quota of the real service, as far as it has been told.
        public init() {}

        var value: QuotaRules {
            QuotaRules(
                publicAssetBytes: publicAssetBytes, publicRecordBytes: publicRecordBytes,
                publicAssetBytesPerUser: publicAssetBytesPerUser,
                publicRecordBytesPerUser: publicRecordBytesPerUser, mostUsers: mostUsers,
                personBytes: personBytes
            )
        }
    }
}
