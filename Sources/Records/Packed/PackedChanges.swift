/// Changes or records of one zone, packed into one buffer.
///
/// Each change is a row of offsets into the buffer. A page of hundreds of records needs only a few
/// allocations, and an answer copies the bytes without decoding them (rule 3 in `Architecture.md`).
package struct PackedChanges: Hashable, Sendable {
    /// The sequence and type of a change, and the position of its parts in the buffer: name, head, fields, in
    /// this order. A deletion has no fields and an empty head.
    struct Row: Sendable {
        var sequence: Int64
        var type: Int
        var start: Int
        var nameBytes: Int32
        var headBytes: Int32
        /// -1 for a deletion.
        var fieldBytes: Int32
    }

    package let zone: ZoneID
    private(set) var rows: [Row] = []
    private(set) var bytes: [UInt8] = []
    private(set) var types: [String] = []
    /// The approximate size of the changes in an answer.
    package private(set) var size = AnswerSize()
    private let addresses: AssetAddress

    package init(zone: ZoneID, _ addresses: AssetAddress = .plain) {
        self.zone = zone
        self.addresses = addresses
    }

    package var count: Int { rows.count }

    /// The total size of all parts in bytes.
    package var byteCount: Int { bytes.count }

    /// The last change's number in the sequence of its database.
    package var lastSequence: Int64? { rows.last?.sequence }

    /// Reserves capacity for this number of changes and bytes.
    package mutating func reserve(changes: Int, bytes: Int) {
        rows.reserveCapacity(changes)
        self.bytes.reserveCapacity(bytes)
    }

    /// Adds a record. `head` holds bytes in the layout of `RecordHead`. Returns about how many bytes the
    /// record takes in an answer, as `StoredRecord.answerBytes`.
    @discardableResult
    package mutating func add(
        _ name: UnsafeRawBufferPointer, type: String, sequence: Int64, head: UnsafeRawBufferPointer,
        fields: UnsafeRawBufferPointer
    ) -> Int {
        rows.append(
            Row(
                sequence: sequence, type: typeIndex(of: type), start: bytes.count,
                nameBytes: Int32(truncatingIfNeeded: name.count),
                headBytes: Int32(truncatingIfNeeded: head.count),
                fieldBytes: Int32(truncatingIfNeeded: fields.count)))
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: head)
        bytes.append(contentsOf: fields)
        let taken = fields.count + addresses.bytes(inHead: head) + Self.peopleBytes(type, head)
        size.add(content: taken, names: nameBytes(name, type) + head.count)
        return taken
    }

    private func nameBytes(_ name: UnsafeRawBufferPointer, _ type: String) -> Int {
        name.count + type.utf8.count + zone.name.utf8.count
    }

    /// The approximate bytes of the people whom a share names; 0 for other records, whose heads are not
    /// decoded, because that would be slow.
    private static func peopleBytes(_ type: String, _ head: UnsafeRawBufferPointer) -> Int {
        guard type == Share.recordType else { return 0 }
        return (RecordHead(head).sharing?.terms?.peopleCount ?? 0) * StoredRecord.bytesPerPerson
    }

    /// Adds a deletion. It has a name, but no head and no fields.
    package mutating func addDeletion(_ name: UnsafeRawBufferPointer, type: String, sequence: Int64) {
        rows.append(
            Row(
                sequence: sequence, type: typeIndex(of: type), start: bytes.count,
                nameBytes: Int32(truncatingIfNeeded: name.count), headBytes: 0, fieldBytes: -1))
        bytes.append(contentsOf: name)
        size.add(content: 0, names: nameBytes(name, type))
    }

    private mutating func typeIndex(of type: String) -> Int {
        if let last = rows.last?.type, types[last] == type { return last }
        if let index = types.firstIndex(of: type) { return index }
        types.append(type)
        return types.count - 1
    }

    /// Calls `body` with each change in order, without decoding it.
    package func forEach(_ body: (PackedChange) -> Void) {
        bytes.withUnsafeBytes { memory in
            for row in rows { body(PackedChange(changes: self, row: row, memory: memory)) }
        }
    }
}

extension PackedChanges {
    /// Whether both hold the same changes. Zeros at the end of a head are padding and are ignored; see
    /// `RecordHead`.
    package static func == (a: PackedChanges, b: PackedChanges) -> Bool {
        a.zone == b.zone && a.count == b.count && zip(a.rows, b.rows).allSatisfy { a.isEqual($0, to: b, $1) }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(zone)
        for row in rows { hasher.combine(row.sequence) }
    }

    private func isEqual(_ row: Row, to other: PackedChanges, _ otherRow: Row) -> Bool {
        let (mine, theirs) = (parts(of: row), other.parts(of: otherRow))
        return row.sequence == otherRow.sequence && types[row.type] == other.types[otherRow.type]
            && (row.fieldBytes < 0) == (otherRow.fieldBytes < 0) && mine.name.elementsEqual(theirs.name)
            && mine.head.elementsEqual(theirs.head) && mine.fields.elementsEqual(theirs.fields)
    }

    private typealias Parts = (name: ArraySlice<UInt8>, head: ArraySlice<UInt8>, fields: ArraySlice<UInt8>)

    private func parts(of row: Row) -> Parts {
        let head = row.start + Int(row.nameBytes)
        let fields = head + Int(row.headBytes)
        let end = bytes[head..<fields].lastIndex { $0 != 0 }.map { $0 + 1 } ?? head
        return (
            bytes[row.start..<head], bytes[head..<end], bytes[fields..<fields + max(0, Int(row.fieldBytes))]
        )
    }
}

/// A view of one change in the buffer. It is valid only during the call that receives it.
package struct PackedChange {
    private let changes: PackedChanges
    private let row: PackedChanges.Row
    private let memory: UnsafeRawBufferPointer

    fileprivate init(changes: PackedChanges, row: PackedChanges.Row, memory: UnsafeRawBufferPointer) {
        self.changes = changes
        self.row = row
        self.memory = memory
    }

    package var type: String { changes.types[row.type] }
    package var sequence: Int64 { row.sequence }
    package var name: UnsafeRawBufferPointer { piece(0, row.nameBytes) }
    package var head: RecordHead { RecordHead(piece(row.nameBytes, row.headBytes)) }
    /// nil for a deletion.
    package var fields: UnsafeRawBufferPointer? {
        row.fieldBytes < 0 ? nil : piece(row.nameBytes + row.headBytes, row.fieldBytes)
    }

    private func piece(_ start: Int32, _ count: Int32) -> UnsafeRawBufferPointer {
        let start = row.start + Int(start)
        return UnsafeRawBufferPointer(rebasing: memory[start..<start + Int(count)])
    }

    private var id: RecordID { RecordID(name: String(decoding: name, as: UTF8.self), zone: changes.zone) }

    /// The decoded change.
    package var value: Change {
        guard let fields else { return .deleted(id, type: type, sequence: sequence) }
        return .saved(
            StoredRecord(id: id, type: type, head: head, fields: [UInt8](fields), sequence: sequence))
    }
}

extension PackedChanges {
    /// Packs changes, which must all belong to `zone`.
    package init(_ changes: some Sequence<Change>, zone: ZoneID, _ addresses: AssetAddress = .plain) {
        self.init(zone: zone, addresses)
        for change in changes { append(change) }
    }

    /// Adds a change of the zone.
    package mutating func append(_ change: Change) {
        switch change {
        case .deleted(let id, let type, let sequence):
            var name = id.name
            name.withUTF8 { addDeletion(UnsafeRawBufferPointer($0), type: type, sequence: sequence) }
        case .saved(let record):
            var name = record.id.name
            _ = name.withUTF8 { name in
                RecordHead.bytes(of: record).withUnsafeBytes { head in
                    record.fields.bytes.withUnsafeBytes { fields in
                        add(
                            UnsafeRawBufferPointer(name), type: record.type, sequence: record.sequence,
                            head: head, fields: fields)
                    }
                }
            }
        }
    }

    /// Packs records. Each run of consecutive records of one zone becomes one `PackedChanges`.
    package static func runs(
        of records: some Sequence<StoredRecord>, _ addresses: AssetAddress = .plain
    ) -> [PackedChanges] {
        var runs: [PackedChanges] = []
        for record in records {
            if runs.last?.zone != record.id.zone {
                runs.append(PackedChanges(zone: record.id.zone, addresses))
            }
            runs[runs.count - 1].append(.saved(record))
        }
        return runs
    }

    /// The saved records, decoded.
    package var records: [StoredRecord] {
        values.compactMap { change in
            if case .saved(let record) = change { record } else { nil }
        }
    }

    /// All changes, decoded.
    package var values: [Change] {
        var values: [Change] = []
        values.reserveCapacity(count)
        forEach { values.append($0.value) }
        return values
    }
}
