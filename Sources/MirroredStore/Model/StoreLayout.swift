public import Records

/// The entities of a store with their attributes and relationships.
///
/// ```swift
/// let layout = try StoreLayout([
///     .init("Post", attributes: [.init("title", .string)],
///         relationships: [.init("tags", to: "Tag", inverse: "posts", isToMany: true)]),
///     .init("Tag", attributes: [.init("name", .string)],
///         relationships: [.init("posts", to: "Post", inverse: "tags", isToMany: true)]),
/// ])
/// ```
public struct StoreLayout: Sendable {
    /// The form in which an attribute's values are stored.
    public enum Kind: String, Hashable, Sendable {
        /// Integers and booleans: `FieldValue.int64`.
        case integer
        /// Floating-point numbers: `FieldValue.double`.
        case double
        /// Dates: `FieldValue.timestamp`.
        case date
        /// Texts, UUIDs and URIs: `FieldValue.string`.
        case string
        /// Binary data: `FieldValue.bytes`.
        case bytes
    }

    /// What the deletion of an object does to the objects at the other end of a relationship.
    public enum DeleteRule: String, Hashable, Sendable {
        /// They lose the relationship.
        case nullify
        /// They are deleted, too.
        case cascade
        /// If there is one, the deletion fails.
        case deny
        /// Nothing. A to-one relationship of theirs waits for an object of that name.
        case noAction
    }

    /// A value that every object of an entity can have.
    public struct Attribute: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The form of the values.
        public var kind: Kind
        /// Whether an object may have no value.
        public var isOptional: Bool
        /// The value of a new object; nil: none.
        public var defaultValue: FieldValue?
        /// Whether the server stores the values encrypted.
        public var isEncrypted: Bool

        /// Creates an attribute.
        public init(
            _ name: String, _ kind: Kind, isOptional: Bool = true, defaultValue: FieldValue? = nil,
            isEncrypted: Bool = false
        ) {
            self.name = name
            self.kind = kind
            self.isOptional = isOptional
            self.defaultValue = defaultValue
            self.isEncrypted = isEncrypted
        }
    }

    /// A relationship of an entity's objects to objects of another one. It is optional, and has an inverse.
    public struct Relationship: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The entity of the objects at the other end.
        public var target: String
        /// The name of the relationship back.
        public var inverse: String
        /// Whether an object can have several of them.
        public var isToMany: Bool
        /// What a deletion does to them.
        public var deleteRule: DeleteRule

        /// Creates a relationship.
        public init(
            _ name: String, to target: String, inverse: String, isToMany: Bool = false,
            deleteRule: DeleteRule = .nullify
        ) {
            self.name = name
            self.target = target
            self.inverse = inverse
            self.isToMany = isToMany
            self.deleteRule = deleteRule
        }
    }

    /// A kind of object.
    public struct Entity: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The entity from which this one inherits attributes and relationships; nil if there is none.
        public var parent: String?
        /// Whether no object has this entity, only those that inherit from it.
        public var isAbstract: Bool
        /// The attributes besides the inherited ones.
        public var attributes: [Attribute]
        /// The relationships besides the inherited ones.
        public var relationships: [Relationship]

        /// Creates an entity.
        public init(
            _ name: String, parent: String? = nil, isAbstract: Bool = false, attributes: [Attribute] = [],
            relationships: [Relationship] = []
        ) {
            self.name = name
            self.parent = parent
            self.isAbstract = isAbstract
            self.attributes = attributes
            self.relationships = relationships
        }
    }

    /// An entity with all that it inherits.
    struct Resolved: Sendable {
        let name: String
        let root: String
        let isAbstract: Bool
        let attributes: [Attribute]
        let relationships: [Relationship]
        /// The entity and those that inherit from it.
        let family: [String]
    }

    let entities: [String: Resolved]
    /// The names of the root entities, sorted.
    let roots: [String]

    /// Checks the entities and creates the layout.
    ///
    /// - Throws: `MirroredStoreError` with the code `incompatibleModel`.
    public init(_ list: [Entity]) throws {
        let known = Dictionary(list.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        guard known.count == list.count else { throw Self.refusal("the layout", "two entities share a name") }
        var lines: [String: [Entity]] = [:]
        for entity in list {
            var line = [entity]
            while let parent = line[0].parent {
                guard let next = known[parent], !line.contains(where: { $0.name == parent }) else {
                    throw Self.refusal(entity.name, "its parent \(parent) is unknown or its own child")
                }
                line.insert(next, at: 0)
            }
            lines[entity.name] = line
        }
        var resolved: [String: Resolved] = [:]
        for (name, line) in lines {
            let family = lines.filter { $0.value.contains { $0.name == name } }.keys.sorted()
            resolved[name] = Resolved(
                name: name, root: line[0].name, isAbstract: line.last?.isAbstract ?? false,
                attributes: line.flatMap(\.attributes), relationships: line.flatMap(\.relationships),
                family: family)
        }
        entities = resolved
        roots = Set(resolved.values.map(\.root)).sorted()
        for entity in resolved.values { try check(entity) }
    }

    private func check(_ entity: Resolved) throws {
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        if Set(names.map { $0.lowercased() }).count < names.count {
            throw Self.refusal(entity.name, "two of its properties have the same name")
        }
        for name in [entity.name] + names {
            let isName = name.utf8.allSatisfy {
                $0 == 0x5F || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A)
                    || ($0 >= 0x30 && $0 <= 0x39)
            }
            if !isName || name.isEmpty || ["entityName", "moveReceipt"].contains(name) {
                throw Self.refusal("\(entity.name).\(name)", "this name is not allowed or reserved")
            }
        }
        for relationship in entity.relationships {
            let inverse = entities[relationship.target]?.relationships.first {
                $0.name == relationship.inverse
            }
            guard let inverse, inverse.inverse == relationship.name,
                entities[inverse.target]?.family.contains(entity.name) == true
            else { throw Self.refusal("\(entity.name).\(relationship.name)", "it has no matching inverse") }
        }
    }

    private static func refusal(_ culprit: String, _ reason: String) -> MirroredStoreError {
        MirroredStoreError(.incompatibleModel, culprit, reason, nextStep: "correct the model")
    }

    /// The entity with this name.
    ///
    /// - Throws: `MirroredStoreError` with the code `unknownName`.
    func entity(_ name: String) throws -> Resolved {
        if let known = entities[name] { return known }
        throw MirroredStoreError(
            .unknownName, name, "the store has no such entity",
            nextStep: "use one of \(entities.keys.sorted())")
    }

    /// All attributes of the entities in the tree of a root, by name.
    func attributes(ofRoot root: String) -> [String: Attribute] {
        let all = entities.values.filter { $0.root == root }.flatMap(\.attributes)
        return Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The to-one relationships of the entities in the tree of a root, by name.
    func toOnes(ofRoot root: String) -> [String: Relationship] {
        let all = entities.values.filter { $0.root == root }.flatMap(\.relationships)
        return Dictionary(
            all.filter { !$0.isToMany }.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension StoreLayout.Resolved {
    func attribute(_ name: String) -> StoreLayout.Attribute? { attributes.first { $0.name == name } }

    /// The relationship with this name.
    ///
    /// - Throws: `MirroredStoreError` with the code `unknownName`.
    func relationship(_ name: String) throws -> StoreLayout.Relationship {
        if let known = relationships.first(where: { $0.name == name }) { return known }
        throw MirroredStoreError(
            .unknownName, "\(self.name).\(name)", "the entity has no such relationship",
            nextStep: "use one of \(relationships.map(\.name))")
    }
}
