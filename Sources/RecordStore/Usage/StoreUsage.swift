import Records

/// Bytes of records, or a change of them. Sums end at the largest number instead of overflowing.
package struct StoreUsage: Hashable, Sendable {
    /// Names and fields.
    package var recordBytes: Int64
    /// Files, each once for each record that refers to it: so nobody's count depends on others' records.
    package var assetBytes: Int64

    package init(recordBytes: Int64 = 0, assetBytes: Int64 = 0) {
        self.recordBytes = recordBytes
        self.assetBytes = assetBytes
    }

    package var total: Int64 { recordBytes.addingSaturated(assetBytes) }

    package static func + (a: StoreUsage, b: StoreUsage) -> StoreUsage {
        StoreUsage(
            recordBytes: a.recordBytes.addingSaturated(b.recordBytes),
            assetBytes: a.assetBytes.addingSaturated(b.assetBytes)
        )
    }

    package static func - (a: StoreUsage, b: StoreUsage) -> StoreUsage {
        StoreUsage(
            recordBytes: a.recordBytes.subtractingSaturated(b.recordBytes),
            assetBytes: a.assetBytes.subtractingSaturated(b.assetBytes)
        )
    }

    package static func += (a: inout StoreUsage, b: StoreUsage) { a = a + b }
    package static func -= (a: inout StoreUsage, b: StoreUsage) { a = a - b }
}

extension WrittenRecord {
    /// What the record takes up.
    package var usage: StoreUsage {
        var sizes: [String: Int64] = [:]
        for field in fields.values where field.value.type.element == .asset {
            for case .asset(let asset) in field.value.elements { sizes[asset.fileChecksum] = asset.size }
        }
        return StoreUsage(
            recordBytes: Int64(stored.id.name.utf8.count + stored.fields.bytes.count),
            assetBytes: sizes.values.saturatedSum
        )
    }
}
