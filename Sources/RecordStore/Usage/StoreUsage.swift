package import Records

/// The number of records, and the bytes that they and their files take up, or a change of these. Sums
/// saturate instead of overflowing.
package struct StoreUsage: Hashable, Sendable {
    package var records: Int64
    /// Bytes of the records' names and encoded fields, a fixed number for each record, and one for each
    /// person that a share names.
    package var recordBytes: Int64
    /// Bytes of files. A file counts once for each record that refers to it, so that one person's usage does
    /// not depend on other people's records.
    package var assetBytes: Int64

    package init(records: Int64 = 0, recordBytes: Int64 = 0, assetBytes: Int64 = 0) {
        self.records = records
        self.recordBytes = recordBytes
        self.assetBytes = assetBytes
    }

    /// Bytes of records and files together.
    package var total: Int64 { recordBytes.addingSaturated(assetBytes) }

    package static func + (a: StoreUsage, b: StoreUsage) -> StoreUsage {
        StoreUsage(
            records: a.records.addingSaturated(b.records),
            recordBytes: a.recordBytes.addingSaturated(b.recordBytes),
            assetBytes: a.assetBytes.addingSaturated(b.assetBytes)
        )
    }

    package static func - (a: StoreUsage, b: StoreUsage) -> StoreUsage {
        StoreUsage(
            records: a.records.subtractingSaturated(b.records),
            recordBytes: a.recordBytes.subtractingSaturated(b.recordBytes),
            assetBytes: a.assetBytes.subtractingSaturated(b.assetBytes)
        )
    }

    package static func += (a: inout StoreUsage, b: StoreUsage) { a = a + b }
    package static func -= (a: inout StoreUsage, b: StoreUsage) { a = a - b }
}

extension StoreUsage {
    /// What each record counts besides its name and fields: for its stamps, its parent and its index entries.
    package static let bytesPerRecord: Int64 = 256

    /// What a share counts besides other records.
    package static func bytes(of terms: Share) -> Int64 {
        Int64(terms.peopleCount * StoredRecord.bytesPerPerson)
    }
}

extension WrittenRecord {
    /// The usage of this record.
    package var usage: StoreUsage {
        var sizes: [String: Int64] = [:]
        for field in fields.values where field.value.type.element == .asset {
            for case .asset(let asset) in field.value.elements { sizes[asset.fileChecksum] = asset.size }
        }
        return StoreUsage(
            records: 1,
            recordBytes: Int64(stored.id.name.utf8.count + stored.fields.bytes.count)
                + StoreUsage.bytesPerRecord + (stored.sharing?.terms.map(StoreUsage.bytes) ?? 0),
            assetBytes: sizes.values.saturatedSum
        )
    }
}
