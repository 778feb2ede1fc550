import Foundation
import LocalReplica
import ObjectModel
import Records

/// The changes of a transaction in one store, in a form that can be stored and applied later.
///
/// It contains only the changed attributes and relationships, so that applying it keeps changes that were
/// made meanwhile to others.
struct StoreChanges: Codable {
    struct Object: Codable {
        enum Kind: String, Codable { case insert, update, delete }

        var kind: Kind
        var root: String
        var name: String
        var entity: String
        /// The changed attributes with their new values, as fields.
        var values = Data()
        /// The changed to-one relationships with the names of their objects.
        var targets: [String: String] = [:]
        /// The attributes and to-one relationships that have no value any more.
        var removed: [String] = []
    }

    struct PairChange: Codable {
        var pair: Pair
        var isAdded: Bool
    }

    /// An object that the app has assigned to a share.
    struct ZoneAssignment: Codable {
        var root: String
        var name: String
        var zone: String
        var owner: String?
    }

    var author: String
    var objects: [Object] = []
    var pairs: [PairChange] = []
    var places: [ZoneAssignment] = []

    var isEmpty: Bool { objects.isEmpty && pairs.isEmpty && places.isEmpty }
}

extension ObjectWriter {
    /// The changes of this transaction so far.
    func changes(by author: String) throws -> StoreChanges {
        var changes = StoreChanges(author: author)
        for (id, entry) in changed.sorted(by: { $0.key < $1.key }) {
            let (old, new) = (entry.before, try graph.stored(id))
            if old != new { changes.objects.append(Self.change(of: id, from: old, to: new)) }
        }
        for (_, entry) in pairs.sorted(by: { $0.key < $1.key }) {
            changes.pairs.append(StoreChanges.PairChange(pair: entry.pair, isAdded: entry.isAdded))
        }
        for (id, zone) in assigned.sorted(by: { $0.key < $1.key }) {
            changes.places.append(
                StoreChanges.ZoneAssignment(root: id.root, name: id.name, zone: zone.name, owner: zone.owner))
        }
        return changes
    }

    private static func change(
        of id: MirroredObject.ID, from old: MirroredObject?, to new: MirroredObject?
    ) -> StoreChanges.Object {
        guard let new else {
            return StoreChanges.Object(
                kind: .delete, root: id.root, name: id.name, entity: old?.entity ?? id.root)
        }
        var change = StoreChanges.Object(
            kind: old == nil ? .insert : .update, root: id.root, name: id.name, entity: new.entity)
        var fields = Fields()
        for (name, value) in new.values where old?.values[name] != value { fields[name] = Field(value) }
        change.values = FieldCoding.bytes(fields)
        change.targets = new.targets.filter { old?.targets[$0.key] != $0.value }
        if let old {
            let gone = old.values.keys.filter { new.values[$0] == nil }
            change.removed = (gone + old.targets.keys.filter { new.targets[$0] == nil }).sorted()
        }
        return change
    }

    /// Makes the changes of an earlier transaction. Skips objects that were deleted since, and entities and
    /// properties that the model no longer has.
    func apply(_ changes: StoreChanges) throws {
        for change in changes.objects {
            guard let entity = graph.layout.entities[change.entity], entity.root == change.root else {
                continue
            }
            let id = MirroredObject.ID(root: change.root, name: change.name)
            let stored = try graph.stored(id)
            if change.kind == .delete {
                guard stored != nil else { continue }
                try self.change(id) {
                    try graph.remove(id)
                    try graph.note(id.name, isDeleted: true)
                }
                continue
            }
            if stored == nil, change.kind == .update { continue }
            var object = stored ?? MirroredObject(id: id, entity: entity.name, shape: entity.shape)
            for (name, field) in try FieldCoding.fields(change.values, of: id.name)
            where entity.shape.kinds[name] != nil {
                object.values[name] = field.value
            }
            for (name, target) in change.targets where entity.shape.toOnes[name] != nil {
                object.targets[name] = target
            }
            for name in change.removed { (object.values[name], object.targets[name]) = (nil, nil) }
            let changed = object
            try self.change(id) { try graph.put(changed) }
        }
        for entry in changes.pairs {
            if entry.isAdded { try graph.put(entry.pair) } else { try graph.removePair(entry.pair.record) }
            pairs[entry.pair.record] = (entry.pair, entry.isAdded)
        }
        for place in changes.places {
            let id = MirroredObject.ID(root: place.root, name: place.name)
            assigned[id] = ZoneID(name: place.zone, owner: place.owner)
        }
    }
}
