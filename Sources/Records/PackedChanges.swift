// Owns records and deletions as a store reads them: in one piece of memory, not taken apart.

/// Changes of one zone, or records that were found there, one after the other.
///
/// All texts and fields lie in one buffer, and each change is a row of places in it. So a page of hundreds of
/// records costs a few allocations, and what passes through to an answer is never made into values (law 3).
package struct PackedChanges: Hashable, Sendable {
    /// The parts of a change, in the order in which they lie. Deletions have no fields.
    package enum Part: Int, CaseIterable, Sendable {
        case name
        case creator
        case creatorDevice
        case modifier
        case modifierDevice
        case parent
        case fields
    }

    /// What a change has beside its parts, and where those are.
    struct Row: Hashable, Sendable {
        var sequence: Int64
        var created: Int64
        var modified: Int64
        var type: Int
        var start: Int
        /// Where each part ends, from `start`.
        var ends = SIMD8<Int32>(repeating: 0)
        /// A bit for each part that the change does not have.
        var missing: UInt8 = 0
        /// The place of its asset slots; nil when it has none.
        var slots: Int?
    }

    package let zone: ZoneID
    private(set) var rows: [Row] = []
    private(set) var bytes: [UInt8] = []
    private(set) var types: [String] = []
    private(set) var slots: [[FieldBytes.AssetSlot]] = []
    /// The bytes of all fields in it.
    package private(set) var fieldBytes = 0

    package init(zone: ZoneID) {
        self.zone = zone
    }

    package var count: Int { rows.count }

    /// The bytes of all parts.
    package var byteCount: Int { bytes.count }

    /// The number of the last change in the sequence of its database.
    package var lastSequence: Int64? { rows.last?.sequence }

    /// Makes room, so that nothing is moved while changes are added.
    package mutating func reserve(changes: Int, bytes: Int) {
        rows.reserveCapacity(changes)
        self.bytes.reserveCapacity(bytes)
    }

    /// Adds a change whose parts follow, each with one `add`, in their order.
    package mutating func begin(type: String, sequence: Int64, created: Timestamp, modified: Timestamp) {
        rows.append(
            Row(
                sequence: sequence, created: created.milliseconds, modified: modified.milliseconds,
                type: place(of: type), start: bytes.count
            )
        )
    }

    /// Adds a part of the change that was begun; nil where it has none.
    package mutating func add(_ part: Part, _ content: UnsafeRawBufferPointer?) {
        let last = rows.count - 1
        if let content {
            bytes.append(contentsOf: content)
            if part == .fields { fieldBytes += content.count }
        } else {
            rows[last].missing |= 1 << part.rawValue
        }
        rows[last].ends[part.rawValue] = Int32(truncatingIfNeeded: bytes.count - rows[last].start)
    }

    /// Says where addresses of assets belong in the fields of the change that was begun.
    package mutating func add(_ slots: [FieldBytes.AssetSlot]) {
        if slots.isEmpty { return }
        rows[rows.count - 1].slots = self.slots.count
        self.slots.append(slots)
    }

    /// Adds a deletion, of which only the name is told.
    package mutating func addDeletion(_ name: UnsafeRawBufferPointer?, type: String, sequence: Int64) {
        let never = Timestamp(milliseconds: 0)
        begin(type: type, sequence: sequence, created: never, modified: never)
        for part in Part.allCases { add(part, part == .name ? name : nil) }
    }

    private mutating func place(of type: String) -> Int {
        if let last = rows.last?.type, types[last] == type { return last }
        if let place = types.firstIndex(of: type) { return place }
        types.append(type)
        return types.count - 1
    }

    /// Calls `body` with each change in turn, as it lies.
    package func forEach(_ body: (PackedChange) -> Void) {
        bytes.withUnsafeBytes { memory in
            for row in rows { body(PackedChange(changes: self, row: row, memory: memory)) }
        }
    }
}

/// One of a page's changes where it lies: good for the call that it is given to, and no longer.
package struct PackedChange {
    fileprivate let changes: PackedChanges
    fileprivate let row: PackedChanges.Row
    fileprivate let memory: UnsafeRawBufferPointer

    package var type: String { changes.types[row.type] }
    package var sequence: Int64 { row.sequence }
    package var created: Timestamp { Timestamp(milliseconds: row.created) }
    package var modified: Timestamp { Timestamp(milliseconds: row.modified) }
    package var isDeletion: Bool { isMissing(.fields) }
    package var hasAssets: Bool { row.slots != nil }

    /// The bytes of a part; nil when the change does not have it.
    package func bytes(of part: PackedChanges.Part) -> UnsafeRawBufferPointer? {
        if isMissing(part) { return nil }
        let start = part.rawValue == 0 ? 0 : Int(row.ends[part.rawValue - 1])
        return UnsafeRawBufferPointer(
            rebasing: memory[row.start + start..<row.start + Int(row.ends[part.rawValue])])
    }

    private func isMissing(_ part: PackedChanges.Part) -> Bool { row.missing & 1 << part.rawValue != 0 }

    private func text(of part: PackedChanges.Part) -> String? {
        bytes(of: part).map { String(decoding: $0, as: UTF8.self) }
    }

    package var id: RecordID { RecordID(name: text(of: .name) ?? "", zone: changes.zone) }

    /// The change as a value.
    package var value: Change {
        guard let fields = bytes(of: .fields) else { return .deleted(id, type: type, sequence: sequence) }
        return .saved(
            StoredRecord(
                id: id, type: type,
                fields: FieldBytes(
                    bytes: [UInt8](fields), assetSlots: row.slots.map { changes.slots[$0] } ?? []),
                created: Stamp(
                    at: created, by: text(of: .creator) ?? "", device: text(of: .creatorDevice)),
                modified: Stamp(
                    at: modified, by: text(of: .modifier) ?? "", device: text(of: .modifierDevice)),
                sequence: sequence, parent: text(of: .parent)
            )
        )
    }
}

extension PackedChanges {
    /// Changes that are values already, all of one zone.
    package init(_ changes: some Sequence<Change>, zone: ZoneID) {
        self.init(zone: zone)
        for change in changes { append(change) }
    }

    private mutating func append(_ change: Change) {
        switch change {
        case .deleted(let id, let type, let sequence):
            var name = id.name
            name.withUTF8 { addDeletion(UnsafeRawBufferPointer($0), type: type, sequence: sequence) }
        case .saved(let record):
            begin(
                type: record.type, sequence: record.sequence, created: record.created.at,
                modified: record.modified.at)
            add(.name, text: record.id.name)
            add(.creator, text: record.created.by)
            add(.creatorDevice, text: record.created.device)
            add(.modifier, text: record.modified.by)
            add(.modifierDevice, text: record.modified.device)
            add(.parent, text: record.parent)
            record.fields.bytes.withUnsafeBytes { add(.fields, $0) }
            add(record.fields.assetSlots)
        }
    }

    private mutating func add(_ part: Part, text: String?) {
        guard var text else { return add(part, nil) }
        text.withUTF8 { add(part, UnsafeRawBufferPointer($0)) }
    }

    /// Records that are values already, those of one zone that follow one another in one piece.
    package static func runs(of records: some Sequence<StoredRecord>) -> [PackedChanges] {
        var runs: [PackedChanges] = []
        for record in records {
            if runs.last?.zone != record.id.zone { runs.append(PackedChanges(zone: record.id.zone)) }
            runs[runs.count - 1].append(.saved(record))
        }
        return runs
    }

    /// The records among the changes, as values.
    package var records: [StoredRecord] {
        values.compactMap { change in
            if case .saved(let record) = change { record } else { nil }
        }
    }

    /// The changes as values.
    package var values: [Change] {
        var values: [Change] = []
        values.reserveCapacity(count)
        forEach { values.append($0.value) }
        return values
    }
}
