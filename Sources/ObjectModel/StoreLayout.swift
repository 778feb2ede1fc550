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
    /// What the deletion of an object does to the objects at the other end of a relationship.
    public enum DeleteRule: String, Hashable, Sendable {
        /// They lose the relationship.
        case nullify
        /// They are deleted, too.
        case cascade
        /// If there is one, the deletion fails.
        case deny
        /// They keep the relationship. It leads to an object again if one with the same ID appears.
        case noAction
    }

    /// A value that every object of an entity can have.
    public struct Attribute: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The type of the values.
        public var type: AttributeType
        /// Whether an object may have no value.
        public var isOptional: Bool
        /// The value of a new object; nil if new objects have no value.
        public var defaultValue: FieldValue?
        /// Whether the server stores the values encrypted.
        public var isEncrypted: Bool
        /// Whether values exist only in memory: no file and no record holds them.
        public var isTransient: Bool
        /// Whether Core Data may keep long values in separate files. It has no effect on the stores here, nor
        /// on records.
        public var allowsExternalStorage: Bool

        /// Creates an attribute.
        public init(
            _ name: String, _ type: AttributeType, isOptional: Bool = true, defaultValue: FieldValue? = nil,
            isEncrypted: Bool = false, isTransient: Bool = false, allowsExternalStorage: Bool = false
        ) {
            self.name = name
            self.type = type
            self.isOptional = isOptional
            self.defaultValue = defaultValue
            self.isEncrypted = isEncrypted
            self.isTransient = isTransient
            self.allowsExternalStorage = allowsExternalStorage
        }

        /// The form in which values are stored. Layouts contain no stored attribute of a type without one.
        package var kind: Kind { type.kind ?? .bytes }
    }

    /// A relationship of an entity's objects to objects of another one. Every relationship has an inverse.
    public struct Relationship: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The entity of the objects at the other end.
        public var target: String
        /// The name of the relationship back.
        public var inverse: String
        /// Whether an object can have several objects at the other end.
        public var isToMany: Bool
        /// What the deletion of an object does to the objects at the other end.
        public var deleteRule: DeleteRule
        /// Whether an object may have no object at the other end. Mirrored stores require it.
        public var isOptional: Bool
        /// Whether the objects at the other end have an order. Layouts refuse ordered relationships, because
        /// no store here keeps an order.
        public var isOrdered: Bool

        /// Creates a relationship.
        public init(
            _ name: String, to target: String, inverse: String, isToMany: Bool = false,
            deleteRule: DeleteRule = .nullify, isOptional: Bool = true, isOrdered: Bool = false
        ) {
            self.name = name
            self.target = target
            self.inverse = inverse
            self.isToMany = isToMany
            self.deleteRule = deleteRule
            self.isOptional = isOptional
            self.isOrdered = isOrdered
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
        /// For each uniqueness constraint, the attributes whose values no two objects may share. Layouts
        /// refuse entities with such constraints, because no store here checks them.
        public var uniquenessConstraints: [[String]]

        /// Creates an entity.
        public init(
            _ name: String, parent: String? = nil, isAbstract: Bool = false, attributes: [Attribute] = [],
            relationships: [Relationship] = [], uniquenessConstraints: [[String]] = []
        ) {
            self.name = name
            self.parent = parent
            self.isAbstract = isAbstract
            self.attributes = attributes
            self.relationships = relationships
            self.uniquenessConstraints = uniquenessConstraints
        }
    }

    /// Entities whose objects one store holds.
    public struct Configuration: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The names of the entities.
        public var members: [String]
        /// Whether the model says that a store of this configuration is mirrored.
        public var isMirrored: Bool

        /// Creates a configuration.
        public init(_ name: String, members: [String], isMirrored: Bool = false) {
            self.name = name
            self.members = members
            self.isMirrored = isMirrored
        }
    }

    /// The types of an entity's properties, by name. It is a class, because each object of the entity refers
    /// to it.
    package final class Shape: Sendable {
        /// The stored attributes.
        package let kinds: [String: AttributeType]
        /// The attributes whose values are only in memory.
        package let transients: [String: AttributeType]
        /// The root entity at the other end of each to-one relationship.
        package let toOnes: [String: String]

        init(kinds: [String: AttributeType], transients: [String: AttributeType], toOnes: [String: String]) {
            self.kinds = kinds
            self.transients = transients
            self.toOnes = toOnes
        }
    }

    /// An entity with all that it inherits. It is a class, because an import looks it up for each object.
    package final class Resolved: Sendable {
        package let name: String
        package let root: String
        package let isAbstract: Bool
        /// The attributes that are stored.
        package let attributes: [Attribute]
        package let transients: [Attribute]
        package let relationships: [Relationship]
        /// The types of all properties by name.
        package let shape: Shape
        /// The names of the entity and of those that inherit from it.
        package let family: [String]

        init(
            name: String, root: String, isAbstract: Bool, attributes: [Attribute], transients: [Attribute],
            relationships: [Relationship], shape: Shape, family: [String]
        ) {
            self.name = name
            self.root = root
            self.isAbstract = isAbstract
            self.attributes = attributes
            self.transients = transients
            self.relationships = relationships
            self.shape = shape
            self.family = family
        }
    }

    /// The entities as they were declared.
    public let declared: [Entity]
    package let entities: [String: Resolved]
    /// The names of the root entities, sorted.
    package let roots: [String]

    /// Checks the entities and creates the layout.
    ///
    /// - Parameter configuration: the configuration of the store. The layout contains its member entities and
    ///   their parent entities, which count as abstract; nil selects all entities.
    /// - Throws: `MirroredStoreError` with the code `incompatibleModel` for the first rule that is broken.
    public init(_ list: [Entity], configuration: Configuration? = nil) throws {
        let (list, missing) = Self.entities(of: configuration, in: list)
        let lineage = InheritanceTree(list)
        if let problem = (missing + LayoutRules(list, lineage).problems).first { throw problem }
        declared = list
        entities = lineage.resolved()
        roots = Set(entities.values.map(\.root)).sorted()
    }

    /// The entity with this name.
    ///
    /// - Throws: `MirroredStoreError` with the code `unknownName`.
    package func entity(_ name: String) throws -> Resolved {
        if let known = entities[name] { return known }
        throw MirroredStoreError(
            .unknownName, name, "the store has no such entity",
            nextStep: "use one of \(entities.keys.sorted())")
    }

    /// All stored attributes of the entities in the tree of a root, by name.
    package func attributes(ofRoot root: String) -> [String: Attribute] {
        let all = entities.values.filter { $0.root == root }.flatMap(\.attributes)
        return Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The names of the to-one relationships of the entities in the tree of a root. Two entities of the tree
    /// may have different relationships with the same name.
    package func toOnes(ofRoot root: String) -> Set<String> {
        let all = entities.values.filter { $0.root == root }.flatMap(\.relationships)
        return Set(all.filter { !$0.isToMany }.map(\.name))
    }

    /// The one-to-one relationships that the entities in the tree of a root declare, in a fixed order.
    package func oneToOnes(ofRoot root: String) -> [(entity: String, relationship: Relationship)] {
        declared.filter { entities[$0.name]?.root == root }.sorted { $0.name < $1.name }.flatMap { entity in
            entity.relationships.filter { !$0.isToMany && inverse(of: $0)?.isToMany == false }
                .sorted { $0.name < $1.name }
                .map { (entity.name, $0) }
        }
    }

    /// The relationship back.
    package func inverse(of relationship: Relationship) -> Relationship? {
        entities[relationship.target]?.relationships.first { $0.name == relationship.inverse }
    }

    /// Whether a relationship connects many objects with many.
    package func connectsMany(_ relationship: Relationship) -> Bool {
        relationship.isToMany && inverse(of: relationship)?.isToMany == true
    }
}

extension StoreLayout.Resolved {
    /// The relationship with this name.
    ///
    /// - Throws: `MirroredStoreError` with the code `unknownName`.
    package func relationship(_ name: String) throws -> StoreLayout.Relationship {
        if let known = relationships.first(where: { $0.name == name }) { return known }
        throw MirroredStoreError(
            .unknownName, "\(self.name).\(name)", "the entity has no such relationship",
            nextStep: "use one of \(relationships.map(\.name))")
    }
}
