// Owns the state of a memory store and its transactions.

import Records

/// A zone with its records and tombstones.
struct MemoryZone {
    var id: Int64
    var name: String
    /// The number of the zone's last change.
    var sequence: Int64
    var records: [String: WrittenRecord] = [:]
    var tombstones: [String: (type: String, sequence: Int64)] = [:]

    var isDefault: Bool { name == ZoneID.defaultName }

    func described(in database: Int64) -> Zone {
        let position = FeedPosition(database: database, zone: id, sequence: sequence)
        return Zone(
            id: ZoneID(name: name), isAtomic: !isDefault, syncToken: isDefault ? nil : position.token
        )
    }

    /// Every record and tombstone as a change, in no order.
    var changes: [Change] {
        records.values.map { .saved($0.stored) }
            + tombstones.map { name, grave in
                .deleted(RecordID(name: name, zone: ZoneID(name: self.name)), type: grave.type, sequence: grave.sequence)
            }
    }
}

/// All of a memory store.
struct MemoryState {
    var identity: Int64
    var sequence: Int64 = 0
    var lastZone: Int64 = 1
    var lastTime = Timestamp(milliseconds: .min)
    var zones = [ZoneID.defaultName: MemoryZone(id: 1, name: ZoneID.defaultName, sequence: 0)]
    var schema = Schema()
    /// How many records refer to each file.
    var owners: [String: Int] = [:]
    var released: Set<String> = []

    init(identity: Int64) {
        self.identity = identity
    }

    func uses(_ fileChecksum: String) -> Bool { owners[fileChecksum, default: 0] > 0 }

    func searchableFields(of type: String) -> [String] {
        (schema.types[type]?.fields ?? [:])
            .filter { $0.value.indexes.contains(.searchable) && $0.value.type == .scalar(.string) }
            .map(\.key)
    }

    mutating func own(_ record: WrittenRecord) {
        for checksum in record.stored.fields.assetChecksums { owners[checksum, default: 0] += 1 }
    }

    mutating func release(_ record: WrittenRecord) {
        for checksum in record.stored.fields.assetChecksums {
            owners[checksum, default: 0] -= 1
            if !uses(checksum) { released.insert(checksum) }
        }
    }
}

extension FieldBytes {
    /// The files that the fields refer to, each once.
    package var assetChecksums: Set<String> { Set(assetSlots.map(\.fileChecksum)) }
}

/// One zone of a draft of the state; the store takes the draft over when the batch stands.
struct MemoryTransaction: ZoneTransaction {
    private var state: MemoryState
    private var zone: MemoryZone
    private let codec: any FieldCodec

    init(state: MemoryState, zone: MemoryZone, codec: any FieldCodec) {
        self.state = state
        self.zone = zone
        self.codec = codec
    }

    func finished() -> MemoryState {
        var result = state
        result.zones[zone.name] = zone
        return result
    }

    func record(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)? {
        zone.records[name].map { ($0.stored, $0.ordinal) }
    }

    mutating func nextSequence() -> Int64 {
        state.sequence += 1
        return state.sequence
    }

    mutating func insert(_ record: WrittenRecord) throws {
        zone.tombstones[record.stored.id.name] = nil
        zone.records[record.stored.id.name] = record
        zone.sequence = record.stored.sequence
        state.own(record)
    }

    mutating func update(_ old: WrittenRecord, to new: WrittenRecord) throws {
        zone.records[new.stored.id.name] = new
        zone.sequence = new.stored.sequence
        state.own(new)
        state.release(old)
    }

    mutating func delete(_ old: WrittenRecord, sequence: Int64) throws {
        zone.records[old.stored.id.name] = nil
        zone.tombstones[old.stored.id.name] = (old.stored.type, sequence)
        zone.sequence = sequence
        state.release(old)
    }

    func sources(of target: String, kind: BindingKind, limit: Int) throws -> [String] {
        let binding = Binding(kind: kind, target: target)
        let sources = zone.records.values.filter { $0.bindings.contains(binding) }
        return sources.sorted { $0.ordinal < $1.ordinal }.prefix(limit).map(\.stored.id.name)
    }
}
