import ObjectModel
public import Records

/// An object of a mirrored store, as a value. `ObjectWriter.save(_:)` stores its changes.
///
/// Saving stores only the attributes and relationships that were set on this value. So saving an old value
/// does not undo changes that were imported meanwhile. To save one value several times, pass it as `&object`.
public struct MirroredObject: Identifiable, Sendable {
    /// An object's name, unique in the store, and the root of its entity's inheritance tree.
    public struct ID: Hashable, Sendable, Comparable {
        /// The root of the inheritance tree of the object's entity; the entity itself if it has no parent.
        public let root: String
        /// The name of the object's record.
        public let name: String

        /// Creates an ID of an object.
        public init(root: String, name: String) {
            self.root = root
            self.name = name
        }

        /// Orders by root and name.
        public static func < (a: Self, b: Self) -> Bool { (a.root, a.name) < (b.root, b.name) }
    }

    /// The object's ID.
    public let id: ID
    /// The name of the object's entity.
    public let entity: String
    /// The values by attribute.
    public internal(set) var values: [String: FieldValue] = [:]
    /// The record names of the objects at the other end of to-one relationships, by relationship.
    public internal(set) var targets: [String: String] = [:]
    /// The attributes and to-one relationships that were set on this value.
    private(set) var changed: Set<String> = []
    let shape: StoreLayout.Shape

    /// The value of an attribute; nil if there is none, or if it has another type.
    public func get<Value: FieldConvertible>(_ name: String, as type: Value.Type = Value.self) -> Value? {
        values[name].flatMap { Value(fieldValue: $0) }
    }

    /// Sets the value of an attribute; nil removes it.
    ///
    /// - Throws: `MirroredStoreError` with the code `unknownName` or `invalidValue`.
    public mutating func set(_ name: String, to value: (any FieldConvertible)?) throws {
        guard let type = shape.kinds[name] ?? shape.transients[name] else {
            throw MirroredStoreError(
                .unknownName, "\(entity).\(name) of \(id.name)", "the entity has no such attribute",
                nextStep: "use one of \(shape.kinds.keys.sorted())")
        }
        let value = value?.fieldValue
        if let value, type != .undefined, !type.accepts(value) {
            throw MirroredStoreError(
                .invalidValue, "\(entity).\(name) of \(id.name)", "the value is not of the type \(type)",
                nextStep: "convert the value")
        }
        values[name] = value
        changed.insert(name)
    }

    /// Sets the object at the other end of a to-one relationship; nil ends the relationship.
    ///
    /// - Throws: `MirroredStoreError` with the code `unknownName` or `invalidValue`.
    public mutating func relate(_ name: String, to target: ID?) throws {
        guard let root = shape.toOnes[name] else {
            throw MirroredStoreError(
                .unknownName, "\(entity).\(name) of \(id.name)", "the entity has no such to-one relationship",
                nextStep: "use one of \(shape.toOnes.keys.sorted()), or ObjectWriter.link")
        }
        if let target, target.root != root {
            throw MirroredStoreError(
                .invalidValue, "\(entity).\(name) of \(id.name)", "\(target.name) is not a \(root)",
                nextStep: "use an object of that entity")
        }
        targets[name] = target?.name
        changed.insert(name)
    }

    /// Forgets which attributes and relationships were set on this value.
    mutating func wasSaved() { changed = [] }

    /// The object at the other end of a to-one relationship; nil if there is none.
    public func target(_ name: String) -> ID? {
        guard let root = shape.toOnes[name], let target = targets[name] else { return nil }
        return ID(root: root, name: target)
    }
}

// Equality ignores which attributes and relationships were set on a value.
extension MirroredObject: Hashable {
    /// Whether two objects have the same ID, entity, values and relationships.
    public static func == (a: Self, b: Self) -> Bool {
        a.id == b.id && a.entity == b.entity && a.values == b.values && a.targets == b.targets
    }

    /// Hashes the ID.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension StoreLayout.Kind {
    /// The type of the column.
    var column: String {
        switch self {
        case .integer, .date: "INTEGER"
        case .double: "REAL"
        case .string: "TEXT"
        case .bytes: "BLOB"
        }
    }
}

extension StoreLayout {
    /// Checks an object against the rules of its entity.
    ///
    /// - Parameter absent: attributes whose values have not arrived yet.
    /// - Throws: `MirroredStoreError` with the code `invalidValue`.
    func validate(_ object: MirroredObject, except absent: Set<String> = []) throws {
        for attribute in try entity(object.entity).attributes {
            var culprit: String { "\(object.entity).\(attribute.name) of \(object.id.name)" }
            guard let value = object.values[attribute.name] else {
                if attribute.isOptional || absent.contains(attribute.name) { continue }
                throw MirroredStoreError(.invalidValue, culprit, "a value is missing", nextStep: "set one")
            }
            if !attribute.type.accepts(value) {
                throw MirroredStoreError(
                    .invalidValue, culprit, "the value is not of the type \(attribute.type)",
                    nextStep: "convert the value")
            }
        }
    }
}
