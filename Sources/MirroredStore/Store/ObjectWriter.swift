import GRDB
import LocalReplica
import ObjectModel
import Records

/// A write transaction, valid only inside the closure that receives it.
///
/// When the closure returns, all changed objects are checked against the model. If one breaks a rule, the
/// whole transaction is rolled back.
public final class ObjectWriter {
    let graph: Graph
    let newName: () -> String
    /// The objects that this transaction has changed.
    private(set) var changed: [MirroredObject.ID: Changed] = [:]
    /// The pairs that were added, and those that were removed, by the names of their records.
    var pairs: [String: (pair: Pair, isAdded: Bool)] = [:]
    /// Imported objects whose records are to be written again, in the form that this device would have used.
    var rewritten: Set<MirroredObject.ID> = []
    /// Deleted objects that are stored again, with the values of their former records.
    private(set) var restored: Set<MirroredObject.ID> = []
    /// The zones to which the app has assigned new objects.
    var assigned: [MirroredObject.ID: ZoneID] = [:]

    /// An object that this transaction has changed.
    struct Changed {
        /// The object as it was before its first change; nil: it did not exist.
        let before: MirroredObject?
        /// The object as its record describes it; nil: it was not imported. Only differences from it are
        /// exported.
        var imported: MirroredObject?
        /// Whether the object is stored as it was imported.
        var isAsImported = false

        fileprivate mutating func wasImported(as object: MirroredObject) {
            imported = object
            isAsImported = true
        }
    }

    init(graph: Graph, newName: @escaping () -> String) {
        self.graph = graph
        self.newName = newName
    }

    /// A reader that sees the changes of this transaction.
    public var reader: ObjectReader { ObjectReader(graph: graph) }

    var translation: RecordTranslation {
        RecordTranslation(layout: graph.layout, longValue: 0, recordBytes: 0)
    }

    /// Creates an object with the default values of its entity, for `save(_:)`.
    ///
    /// - Throws: `MirroredStoreError` with the code `unknownName`.
    public func make(_ entity: String) throws -> MirroredObject {
        try make(entity, named: newName)
    }

    /// Returns the object of an entity that has a name, or creates it with the default values, for
    /// `save(_:)`.
    ///
    /// - Parameter name: a record name that no other object has.
    /// - Throws: `MirroredStoreError` with the code `unknownName`.
    public func make(_ entity: String, name: String) throws -> MirroredObject {
        let id = MirroredObject.ID(root: try graph.layout.entity(entity).root, name: name)
        return try reader.object(id) ?? make(entity, named: { name })
    }

    /// Returns the object of an entity with a key, or creates it. Its name is derived from the key, so
    /// devices that create it independently while offline create the same object.
    ///
    /// A key stands for a different object in each share, and for another one outside of shares. If it were
    /// the same object everywhere, relating others to it would move them into its share, because related
    /// objects are always in one share.
    ///
    /// ```swift
    /// var tag = try objects.make("Tag", key: "balloons", beside: post.id)
    /// ```
    ///
    /// - Parameter companion: an object to which the app will relate the returned one, which is therefore
    ///   that of the companion's share; nil returns the object outside of shares.
    /// - Throws: `MirroredStoreError` with the code `unknownName`.
    public func make(
        _ entity: String, key: String, beside companion: MirroredObject.ID? = nil
    ) throws -> MirroredObject {
        let root = try graph.layout.entity(entity).root
        // The zone of the companion's share; nil: outside of shares.
        let zone = try companion.flatMap { try assigned[$0] ?? graph.place(of: $0.name) }
        let first = "\(entity)/\(key)"
        // Tries names until one is free, or is that of the key's object in this zone.
        for text in Self.keyTexts(first, in: zone) {
            let name = RecordTranslation.name(for: text)
            let place = try graph.place(of: name)
            switch try graph.type(of: name) {
            case nil:
                // An object that this transaction has deleted may still have a place in another zone.
                let isFree = place == nil || place == zone
                // In a share, an object has the first name only if it moved there with that name.
                let isForNew = zone == nil || text != first
                if isFree && isForNew { return try make(entity, named: { name }) }
            case RecordTranslation.type(root):
                // An object that this transaction has created has no place until the transaction ends.
                let isHere = place == zone || place == nil && isNew(root, name)
                let id = MirroredObject.ID(root: root, name: name)
                if isHere, let object = try reader.object(id) { return object }
            default: break  // An object of another root entity, or a pair, has the name.
            }
        }
        // All names are in use: the object gets one that other devices do not derive.
        return try make(entity)
    }

    /// The texts from which names for a key are derived, in the order in which they are tried: first the one
    /// for objects outside of shares, then others that differ by share. There are many, because a participant
    /// of a share may have given any of the names to another record.
    private static func keyTexts(_ first: String, in zone: ZoneID?) -> some Sequence<String> {
        let place = zone.map { "\($0.name)/" } ?? ""
        // Lazy, because the first or second one is nearly always free.
        return (0...100).lazy.map { $0 == 0 ? first : "/\($0)/\(place)\(first)" }
    }

    /// Whether this transaction has created an object.
    private func isNew(_ root: String, _ name: String) -> Bool {
        changed[MirroredObject.ID(root: root, name: name)].map { $0.before == nil } ?? false
    }

    private func make(_ entity: String, named newName: () -> String) throws -> MirroredObject {
        let resolved = try graph.layout.entity(entity)
        if resolved.isAbstract {
            throw MirroredStoreError(
                .unknownName, entity, "the entity is abstract", nextStep: "use one that inherits from it")
        }
        let id = MirroredObject.ID(root: resolved.root, name: newName())
        var object = MirroredObject(id: id, entity: entity, shape: resolved.shape)
        for attribute in resolved.attributes { object.values[attribute.name] = attribute.defaultValue }
        return object
    }

    /// Inserts an object. If the object exists, stores only the attributes and relationships that were set on
    /// this value. Inverse relationships are updated.
    ///
    /// - Throws: `MirroredStoreError` with the code `notFound` if a target of a relationship is missing.
    public func save(_ object: MirroredObject) throws {
        let stored = try graph.stored(object.id)
        let shown = try stored.map(reader.visible)
        var next = stored ?? object
        next.targets = stored?.targets ?? [:]
        for name in object.changed where object.shape.toOnes[name] == nil {
            next.values[name] = object.values[name]
        }
        try change(object.id) { try graph.put(next) }
        for name in object.shape.toOnes.keys.sorted() where object.targets[name] != shown?.targets[name] {
            if stored != nil, !object.changed.contains(name) { continue }
            try setTarget(object.target(name), of: object.id, name)
        }
    }

    /// Saves an object like `save(_:)`, and resets which attributes and relationships were set on the value,
    /// so that the next save stores only later changes. If the transaction is rolled back, read the object
    /// again.
    ///
    /// - Throws: `MirroredStoreError` with the code `notFound` if a target of a relationship is missing.
    public func save(_ object: inout MirroredObject) throws {
        try save(object)
        object.wasSaved()
    }

    /// Stores an object again that was deleted on this device, as it was before. While the server still has
    /// its record, long values that had not arrived on this device stay in the record, and arrive later.
    ///
    /// - Parameter object: the object as it was before the deletion.
    /// - Throws: `MirroredStoreError` with the code `notFound` if a target of a relationship is missing.
    public func restore(_ object: MirroredObject) throws {
        if try !graph.has(object.id) { restored.insert(object.id) }
        try save(object)
    }

    /// Connects two objects by a relationship. Connecting them again has no effect.
    ///
    /// - Throws: `MirroredStoreError`.
    public func link(_ id: MirroredObject.ID, _ name: String, _ target: MirroredObject.ID) throws {
        let (object, relationship) = try stored(id, with: name)
        guard relationship.isToMany else { return try setTarget(target, of: id, name) }
        let inverse = try graph.inverse(of: relationship)
        if !inverse.isToMany { return try setTarget(id, of: target, inverse.name) }
        try require(target, for: relationship, of: object)
        if try graph.pairs(of: object, relationship).contains(where: { $0.end == target.name }) { return }
        let pair = translation.pair(id, object.entity, relationship, target)
        try graph.put(pair)
        pairs[pair.record] = (pair, true)
        try touch(id, target)
    }

    /// Ends the connection of two objects by a relationship.
    ///
    /// - Throws: `MirroredStoreError`.
    public func unlink(_ id: MirroredObject.ID, _ name: String, _ target: MirroredObject.ID) throws {
        let (object, relationship) = try stored(id, with: name)
        guard try graph.ends(of: object, relationship).contains(target) else { return }
        guard relationship.isToMany else { return try setTarget(nil, of: id, name) }
        let inverse = try graph.inverse(of: relationship)
        if !inverse.isToMany { return try setTarget(nil, of: target, inverse.name) }
        for (pair, end) in try graph.pairs(of: object, relationship) where end == target.name {
            try remove(pair)
        }
        try touch(id, target)
    }

    /// Deletes an object, and applies the delete rules of its relationships. Deleting a missing object has no
    /// effect.
    ///
    /// - Throws: `MirroredStoreError` with the code `deletionDenied`.
    public func delete(_ id: MirroredObject.ID) throws {
        try delete(id, isImport: false)
    }

    func delete(_ id: MirroredObject.ID, isImport: Bool) throws {
        guard let object = try graph.stored(id) else { return }
        var ends: [(StoreLayout.Relationship, [MirroredObject.ID])] = []
        for relationship in try graph.layout.entity(object.entity).relationships {
            ends.append((relationship, try graph.ends(of: object, relationship)))
        }
        try change(id) {
            try graph.remove(id)
            try graph.note(id.name, isDeleted: true)
        }
        for (relationship, targets) in ends {
            try applyDeleteRule(of: relationship, to: targets, after: object, isImport: isImport)
        }
        for pair in try graph.pairs(with: id.name) { try remove(pair) }
    }

    /// Applies the delete rule of a relationship to the objects at its other end, after the deletion of an
    /// object.
    private func applyDeleteRule(
        of relationship: StoreLayout.Relationship, to targets: [MirroredObject.ID],
        after object: MirroredObject, isImport: Bool
    ) throws {
        let inverse = try graph.inverse(of: relationship)
        for target in targets {
            guard let other = try graph.stored(target) else { continue }
            switch relationship.deleteRule {
            case .cascade: try delete(target, isImport: isImport)
            case .deny where !isImport:
                throw MirroredStoreError(
                    .deletionDenied, "\(object.entity).\(relationship.name) of \(object.id.name)",
                    "its delete rule is Deny, and it still has the object \(target.name)",
                    nextStep: "delete that object or end the relationship")
            case .nullify, .deny:
                if !inverse.isToMany, other.targets[inverse.name] == object.id.name {
                    try assign(nil, to: inverse.name, of: target)
                }
            case .noAction: break
            }
        }
    }

    // MARK: Steps

    /// The stored object, and its relationship of this name.
    private func stored(
        _ id: MirroredObject.ID, with name: String
    ) throws -> (MirroredObject, StoreLayout.Relationship) {
        guard let object = try graph.stored(id) else {
            throw MirroredStoreError(
                .notFound, "\(id.root) \(id.name)", "the object does not exist", nextStep: "save it first")
        }
        return (object, try graph.layout.entity(object.entity).relationship(name))
    }

    /// Throws `notFound` unless the target of a relationship is stored.
    private func require(
        _ target: MirroredObject.ID, for relationship: StoreLayout.Relationship, of object: MirroredObject
    ) throws {
        let family = try graph.layout.entity(relationship.target).family
        if let known = try graph.stored(target), family.contains(known.entity) { return }
        throw MirroredStoreError(
            .notFound, "\(object.entity).\(relationship.name) of \(object.id.name)",
            "there is no \(relationship.target) \(target.name)", nextStep: "save that object first")
    }

    /// Sets a to-one relationship. If the inverse is a to-one relationship too, both objects leave their
    /// earlier partners.
    private func setTarget(
        _ target: MirroredObject.ID?, of id: MirroredObject.ID, _ name: String
    ) throws {
        let (object, relationship) = try stored(id, with: name)
        if let target { try require(target, for: relationship, of: object) }
        if try !graph.inverse(of: relationship).isToMany {
            if let old = object.target(name), old != target,
                try graph.stored(old)?.targets[relationship.inverse] == id.name
            {
                try assign(nil, to: relationship.inverse, of: old)
            }
            if let target {
                if let rival = try graph.stored(target)?.target(relationship.inverse), rival != id,
                    try graph.stored(rival)?.targets[name] == target.name
                {
                    try assign(nil, to: name, of: rival)
                }
                try assign(id.name, to: relationship.inverse, of: target)
            }
        }
        try assign(target?.name, to: name, of: id)
    }

    /// Sets the column of a to-one relationship, and nothing else.
    func assign(_ target: String?, to name: String, of id: MirroredObject.ID) throws {
        guard var object = try graph.stored(id), object.targets[name] != target else { return }
        object.targets[name] = target
        try change(id) { try graph.put(object) }
    }

    /// Stores an imported object.
    func put(imported object: MirroredObject) throws {
        // Most imported objects are new, and need no search for an earlier state.
        var stored: MirroredObject?
        if try !graph.insert(object) {
            stored = try graph.stored(object.id)
            try graph.put(object)
        }
        try graph.forgetDeletion(of: object.id)
        changed[object.id, default: Changed(before: stored)].wasImported(as: object)
    }

    /// Stores an imported pair; nil removes it, because its record was deleted. The history gets an update of
    /// each object that is now connected, or no longer connected.
    func replacePair(_ record: String, by pair: Pair?) throws {
        let old = try graph.pair(of: record)
        guard old != pair else { return }
        for changed in [old, pair].compactMap(\.self) {
            for end in translation.ends(of: changed) where try graph.has(end) { try touch(end) }
        }
        if let pair { try graph.put(pair) } else { try graph.removePair(record) }
    }

    /// Removes a pair and its record.
    func remove(_ pair: Pair) throws {
        try graph.removePair(pair.record)
        pairs[pair.record] = (pair, false)
    }

    /// Counts each object as changed: the history gets an update of it, even if none of its properties
    /// differs.
    func touch(_ ids: MirroredObject.ID...) throws {
        for id in ids { try change(id) {} }
    }

    /// Changes an object. Keeps its earlier state for the comparison at the end of the transaction.
    func change(_ id: MirroredObject.ID, _ body: () throws -> Void) throws {
        if changed[id] == nil { changed[id] = Changed(before: try graph.stored(id)) }
        changed[id]?.isAsImported = false
        try body()
        try graph.forgetDeletion(of: id)
    }
}
