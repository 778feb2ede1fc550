import Records

/// Limits, in bytes, for the records and files of a database; nil means no limit.
package struct StoreQuota: Hashable, Sendable {
    package var recordBytes: Int64?
    package var assetBytes: Int64?
    /// The limit for records and files together.
    package var totalBytes: Int64?
    /// The limit for the records that one person created.
    package var personRecordBytes: Int64?
    /// The limit for the files of the records that one person created.
    package var personAssetBytes: Int64?

    package init(
        recordBytes: Int64? = nil, assetBytes: Int64? = nil, totalBytes: Int64? = nil,
        personRecordBytes: Int64? = nil, personAssetBytes: Int64? = nil
    ) {
        self.recordBytes = recordBytes
        self.assetBytes = assetBytes
        self.totalBytes = totalBytes
        self.personRecordBytes = personRecordBytes
        self.personAssetBytes = personAssetBytes
    }

    /// Whether there is a limit for the records of one person.
    package var limitsPeople: Bool { personRecordBytes != nil || personAssetBytes != nil }

    /// Whether a change of the usage is allowed. A change that frees space is always allowed, even above the
    /// limit.
    ///
    /// - Parameter usage: the usage before the change.
    package func admits(_ change: StoreUsage, after usage: StoreUsage) -> Bool {
        let after = usage + change
        return Self.fits(after.recordBytes, change.recordBytes, recordBytes)
            && Self.fits(after.assetBytes, change.assetBytes, assetBytes)
            && Self.fits(after.total, change.total, totalBytes)
    }

    /// The same for the usage of the person who created the record.
    package func admits(_ change: StoreUsage, afterPerson usage: StoreUsage) -> Bool {
        let after = usage + change
        return Self.fits(after.recordBytes, change.recordBytes, personRecordBytes)
            && Self.fits(after.assetBytes, change.assetBytes, personAssetBytes)
    }

    private static func fits(_ bytes: Int64, _ change: Int64, _ limit: Int64?) -> Bool {
        guard let limit, change > 0 else { return true }
        return bytes <= limit
    }

    /// The largest ratio of usage to limit: 1 means full, 0 that nothing is limited.
    package func fullness(at usage: StoreUsage) -> Double {
        let parts = [
            (usage.recordBytes, recordBytes), (usage.assetBytes, assetBytes), (usage.total, totalBytes),
        ]
        return parts.map { used, limit in limit.map { Double(used) / Double(max(1, $0)) } ?? 0 }.max() ?? 0
    }
}
