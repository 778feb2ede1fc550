// Owns how a row of the record table becomes a value.

import Records

/// The columns every read of records selects, in this order, and their decoding.
enum RecordRow {
    static let columns = """
        r.id, r.zone, r.name, r.type, r.sequence, r.created_at, r.created_by, r.created_on, r.modified_at, \
        r.modified_by, r.modified_on, r.parent, r.fields, r.asset_slots
        """

    static func ordinal(_ row: SQL) -> Int64 { row.integer(0) }
    static func type(_ row: SQL) -> Int64 { row.integer(3) }
    static func isTombstone(_ row: SQL) -> Bool { row.isNull(12) }

    /// `before` is the record of the row before, if there was one.
    static func record(
        _ row: SQL, zone: String, type: String, after before: StoredRecord? = nil
    ) -> StoredRecord {
        let creator = row.text(6, like: before?.created.by)
        return StoredRecord(
            id: RecordID(name: row.text(2), zone: ZoneID(name: zone)),
            type: type,
            fields: FieldBytes(bytes: row.bytes(12), assetSlots: slots(row.optionalText(13))),
            created: Stamp(
                at: Timestamp(milliseconds: row.integer(5)), by: creator, device: row.optionalText(7)
            ),
            modified: Stamp(
                at: Timestamp(milliseconds: row.integer(8)), by: row.text(9, like: creator),
                device: row.optionalText(10)
            ),
            sequence: row.integer(4),
            parent: row.optionalText(11)
        )
    }

    // MARK: Asset slots, one a line: offset, checksum, field name

    static func text(of slots: [FieldBytes.AssetSlot]) -> String? {
        if slots.isEmpty { return nil }
        return slots.map { "\($0.offset) \($0.fileChecksum) \($0.fieldName)" }.joined(separator: "\n")
    }

    static func slots(_ text: String?) -> [FieldBytes.AssetSlot] {
        guard let text else { return [] }
        return text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let offset = Int(parts[0]) else { return nil }
            return FieldBytes.AssetSlot(
                offset: offset, fieldName: String(parts[2]), fileChecksum: String(parts[1])
            )
        }
    }
}
