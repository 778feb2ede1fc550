import Records

/// A transaction on one zone of a copy of the store's state. The store takes the copy over if the batch
/// succeeds.
struct MemoryTransaction: ZoneTransaction {
    var state: MemoryState
    var zone: MemoryZone

    init(state: MemoryState, zone: MemoryZone) {
        self.state = state
        self.zone = zone
    }

    func finished() -> MemoryState {
        var result = state
        result.zones[zone.name] = zone
        return result
    }

    func record(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)? {
        zone.records[name].map { ($0.stored, $0.ordinal) }
    }

    func head(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)? {
        zone.records[name].map { ($0.stored.withoutFields, $0.ordinal) }
    }

    func fieldBytes(of ordinal: Int64, named name: String) throws -> Int {
        zone.records[name]?.stored.fields.bytes.count ?? 0
    }

    func exists(named name: String) throws -> Bool {
        zone.records[name] != nil
    }

    mutating func nextSequence() -> Int64 {
        state.sequence += 1
        return state.sequence
    }

    var usage: StoreUsage { state.usage }

    func usage(of person: String) -> StoreUsage {
        state.zones.values.filter { $0.name != zone.name }
            .reduce(zone.usage(of: person)) { $0 + $1.usage(of: person) }
    }

    mutating func count(_ change: StoreUsage, by creator: String) {
        zone.usage += change
        state.usage += change
    }

    mutating func insert(_ record: WrittenRecord) throws {
        zone.tombstones[record.stored.id.name] = nil
        zone.records[record.stored.id.name] = record
        zone.sequence = record.stored.sequence
        zone.bind(record.ordinal, record.stored.id.name, to: record.bound)
        state.own(record)
    }

    mutating func update(_ old: WrittenRecord, to new: WrittenRecord) throws {
        zone.records[new.stored.id.name] = new
        zone.sequence = new.stored.sequence
        zone.unbind(old.ordinal, from: new.unbound)
        zone.bind(new.ordinal, new.stored.id.name, to: new.bound)
        state.own(new)
        state.release(old)
    }

    mutating func touch(_ head: StoredRecord, _ ordinal: Int64, modified: Stamp, sequence: Int64) {
        zone.records[head.id.name]?.stored.modified = modified
        zone.records[head.id.name]?.stored.sequence = sequence
        zone.sequence = sequence
    }

    mutating func delete(_ old: WrittenRecord, sequence: Int64) throws {
        zone.records[old.stored.id.name] = nil
        state.deletions += 1
        zone.tombstones[old.stored.id.name] = (old.stored.type, old.ordinal, sequence, state.lastTime)
        zone.sequence = sequence
        zone.unbind(old.ordinal, from: old.bindings.flatMap(\.forms))
        state.release(old)
    }

    mutating func rebind(_ source: Int64, _ name: String, from old: Binding, to new: Binding?) {
        zone.unbind(source, from: [old])
        if let new { zone.bind(source, name, to: [new]) }
    }

    func sources(
        of target: String, kind: BindingKind, after ordinal: Int64, limit: Int
    ) throws -> [String] {
        let sources = zone.sources[Binding(kind: kind, target: target)] ?? [:]
        return sources.filter { $0.key > ordinal }.sorted { $0.key < $1.key }.prefix(limit).map(\.value)
    }

    func hasSources(of target: String) throws -> Bool {
        BindingKind.allCases.contains { zone.sources[Binding(kind: $0, target: target)] != nil }
    }

    func sourceCount(of target: String, kind: BindingKind, upTo limit: Int) throws -> Int {
        min(zone.sources[Binding(kind: kind, target: target)]?.count ?? 0, limit)
    }
}
