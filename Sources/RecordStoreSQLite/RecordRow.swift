// Owns how a row of the record table becomes a value.

import Records

/// The columns that are selected where a record is wanted as a value, in this order, and their decoding.
enum RecordRow {
    static let columns = """
        r.id, r.name, r.type, r.sequence, r.created_at, r.created_by, r.created_on, r.modified_at, \
        r.modified_by, r.modified_on, r.parent, r.fields, r.asset_slots
        """

    static func ordinal(_ row: SQL) -> Int64 { row.integer(0) }
    static func type(_ row: SQL) -> Int64 { row.integer(2) }
    static func isTombstone(_ row: SQL) -> Bool { row.isNull(11) }

    static func record(_ row: SQL, zone: String, type: String) -> StoredRecord {
        let creator = row.text(5)
        return StoredRecord(
            id: RecordID(name: row.text(1), zone: ZoneID(name: zone)),
            type: type,
            fields: FieldBytes(bytes: row.bytes(11), assetSlots: slots(row.optionalText(12))),
            created: Stamp(
                at: Timestamp(milliseconds: row.integer(4)), by: creator, device: row.optionalText(6)
            ),
            modified: Stamp(
                at: Timestamp(milliseconds: row.integer(7)), by: row.text(8, like: creator),
                device: row.optionalText(9)
            ),
            sequence: row.integer(3),
            parent: row.optionalText(10)
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
