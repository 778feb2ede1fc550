import Crypto
import Foundation
import LocalReplica
import ObjectModel
import Records

/// Translates objects and pairs to records, and records to objects and pairs.
struct RecordTranslation: Sendable {
    /// The name of the signed-in person in the records of the person's own zones.
    static let currentUser = "__defaultOwner__"
    static let pairType = MirroredName.pairType
    static let entityName = MirroredName.entityName

    let layout: StoreLayout
    /// The length above which a value becomes an asset, in bytes.
    let longValue: Int
    /// The bytes of fields above which the longest values of a record become assets.
    let recordBytes: Int
    /// Encrypts the files of encrypted attributes; nil if the objects have no records.
    var secret: OwnerSecret?

    /// The fields of an object, and separately its long values.
    struct Content {
        var fields = Fields()
        /// The values that become assets, by attribute.
        var long: [String: Data] = [:]
    }

    static func type(_ root: String) -> String { MirroredName.type(root) }
    static func field(_ property: String) -> String { MirroredName.field(property) }
    static func twin(_ attribute: String) -> String { MirroredName.twin(attribute) }

    /// Translates an object. The longest values become assets until the others fit into the record.
    func content(of object: MirroredObject) throws -> Content {
        var content = Content()
        content.fields[Self.entityName] = Field(.string(object.entity))
        for (name, target) in object.targets { content.fields[Self.field(name)] = Field(.string(target)) }
        var total = Self.size(of: content.fields)
        var long: [(name: String, data: Data)] = []
        for attribute in try layout.entity(object.entity).attributes {
            guard let value = object.values[attribute.name] else { continue }
            let field = Self.field(attribute.name)
            content.fields[field] = Field(value, isEncrypted: attribute.isEncrypted)
            guard attribute.hasAssetTwin, let data = value.content else {
                total += field.utf8.count + 16
                continue
            }
            total += field.utf8.count + data.count
            if !data.isEmpty { long.append((attribute.name, data)) }
        }
        long.sort { ($1.data.count, $0.name) < ($0.data.count, $1.name) }
        let encoded = Self.encodedSizes(of: content.fields)
        var encodedTotal = encoded.values.reduce(0, +)
        for (name, data) in long
        where data.count > longValue || total > recordBytes || encodedTotal > Self.encodedRecordBytes {
            let field = Self.field(name)
            content.fields[field] = nil
            content.long[name] = data
            total -= data.count
            encodedTotal -= encoded[field] ?? 0
        }
        return content
    }

    /// The maximum size of the fields as JSON, which the server counts. The rest of its limit is reserved for
    /// the fields beside the assets, and for the receipt of a move.
    private static let encodedRecordBytes = Limits().recordBytes - 16_384

    /// The sizes of fields as JSON; none if an upper bound shows that they fit into a record.
    private static func encodedSizes(of fields: Fields) -> [String: Int] {
        let bound = fields.reduce(0) { total, field in
            let size = 6 * field.0.utf8.count + field.1.value.maximalJSONSize
            return total + (field.1.isEncrypted ? 2 * size : size)
        }
        guard bound > encodedRecordBytes else { return [:] }
        let sizes = fields.map { name, field in
            let size = FieldCoding.bytes([name: field]).count
            // An encrypted value is base64 text of its JSON and of some bytes more.
            return (name, field.isEncrypted ? (size + 128) / 3 * 4 + 4 : size)
        }
        return Dictionary(sizes, uniquingKeysWith: max)
    }

    private static func size(of fields: Fields) -> Int {
        fields.reduce(0) { total, field in
            total + field.0.utf8.count + (field.1.value.contentBytes ?? 16)
        }
    }

    // MARK: Records to objects

    /// An object as it was read from a record.
    struct Reading {
        var object: MirroredObject
        /// The attributes whose values are in files that are not on this device.
        var lacking: Set<String> = []
        /// The attributes whose values this device cannot read: it has the key and no asset, or the file and
        /// no key.
        var unreadable: Set<String> = []
    }

    /// Translates a record.
    ///
    /// - Parameters:
    ///   - before: returns the object as it is stored; its values replace those that have not arrived. It is
    ///     called only if there are such values.
    ///   - file: the content of an asset; nil if it is not on this device.
    /// - Throws: `MirroredStoreError` with the code `invalidValue` or `unknownName`.
    func reading(
        of fields: Fields, type: String, name: String, before: () throws -> MirroredObject?,
        file: (Asset) throws -> Data?
    ) throws -> Reading {
        guard case .string(let entityName)? = fields[Self.entityName]?.value else {
            throw MirroredStoreError(
                .invalidValue, "\(type) \(name)", "the record has no CD_entityName", nextStep: "set it")
        }
        let entity = try layout.entity(entityName)
        guard Self.type(entity.root) == type, !entity.isAbstract else {
            throw MirroredStoreError(
                .invalidValue, "\(type) \(name)", "no object of \(entityName) has this type of record",
                nextStep: "correct CD_entityName")
        }
        let id = MirroredObject.ID(root: entity.root, name: name)
        var object = MirroredObject(id: id, entity: entity.name, shape: entity.shape)
        object.values.reserveCapacity(entity.attributes.count)
        var (lacking, unreadable): (Set<String>, Set<String>) = ([], [])
        for attribute in entity.attributes {
            switch try value(of: attribute, in: fields, of: name, file: file) {
            case .known(let value):
                // A record of an older version of the app, or of another program, lacks mandatory fields.
                let substitute = attribute.isOptional ? nil : attribute.defaultValue
                object.values[attribute.name] = value ?? substitute
                continue
            case .inMissingFile: lacking.insert(attribute.name)
            case .unreadable: unreadable.insert(attribute.name)
            }
            object.values[attribute.name] = try before()?.values[attribute.name]
        }
        for relationship in entity.relationships where !relationship.isToMany {
            if case .string(let target)? = fields[Self.field(relationship.name)]?.value, !target.isEmpty {
                object.targets[relationship.name] = target
            }
        }
        try layout.validate(object, except: lacking.union(unreadable))
        return Reading(object: object, lacking: lacking, unreadable: unreadable)
    }

    // MARK: Pairs

    /// The pair of two objects that a relationship connects. Its name is derived from both objects, so it is
    /// the same on all devices.
    func pair(
        _ object: MirroredObject.ID, _ entity: String, _ relationship: StoreLayout.Relationship,
        _ target: MirroredObject.ID
    ) -> Pair {
        let here = (owner(of: relationship.name, from: entity), relationship.name, object.name)
        let there = (relationship.target, relationship.inverse, target.name)
        return pair(here, there)
    }

    /// A record name in the form of a UUID that is derived from a text, so it is the same on all devices.
    static func name(for text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).prefix(16).uuidText
    }

    /// The entity that declares a relationship: the target of its inverse.
    private func owner(of relationship: String, from entity: String) -> String {
        let known = layout.entities[entity]?.relationships.first { $0.name == relationship }
        return known.flatMap(layout.inverse)?.target ?? entity
    }

    /// The objects that a pair connects, without those of entities that the layout no longer has.
    func ends(of pair: Pair) -> [MirroredObject.ID] {
        let entities = pair.kind.prefix { $0 != "/" }.split(separator: ":").map(String.init)
        return zip(entities, [pair.first, pair.second]).compactMap { entity, name in
            layout.entities[entity].map { MirroredObject.ID(root: $0.root, name: name) }
        }
    }

    /// The fields of a pair's record.
    func fields(of pair: Pair) -> Fields {
        let parts = pair.kind.split(separator: "/", maxSplits: 1).map(String.init)
        return [
            "CD_entityNames": Field(.string(parts[0])),
            "CD_relationships": Field(.string(parts.count > 1 ? parts[1] : "")),
            "CD_recordNames": Field(.string("\(pair.first):\(pair.second)")),
        ]
    }

    /// Reads a pair from its record; its ends need not exist.
    ///
    /// - Throws: `MirroredStoreError` with the code `invalidValue`.
    func pair(_ fields: Fields, name: String) throws -> (Pair, ends: [MirroredObject.ID]) {
        func parts(_ field: String) throws -> [String] {
            let text = if case .string(let text)? = fields[field]?.value { text } else { "" }
            let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            if parts.count == 2, !parts.contains("") { return parts }
            throw MirroredStoreError(
                .invalidValue, "CDMR \(name)", "\(field) is not two names joined by a colon",
                nextStep: "correct the record")
        }
        let (entities, relationships) = (try parts("CD_entityNames"), try parts("CD_relationships"))
        let names = try parts("CD_recordNames")
        let relationship = try layout.entity(entities[0]).relationship(relationships[0])
        let there = try layout.entity(relationship.target)
        guard relationship.isToMany, let inverse = layout.inverse(of: relationship), inverse.isToMany,
            inverse.name == relationships[1], there.family.contains(entities[1]),
            let here = layout.entities[inverse.target]
        else {
            throw MirroredStoreError(
                .invalidValue, "CDMR \(name)", "the model has no such relationship",
                nextStep: "correct the record")
        }
        // Other programs may name the objects' own entities, which inherit the relationship.
        let ends = [
            MirroredObject.ID(root: here.root, name: names[0]),
            MirroredObject.ID(root: there.root, name: names[1]),
        ]
        return (
            pair((here.name, relationship.name, names[0]), (there.name, inverse.name, names[1]), name), ends
        )
    }

    /// The pair of two objects, each with the entity that declares the relationship, and the relationship.
    ///
    /// - Parameter record: the name of the pair's record; nil: the derived name.
    private func pair(
        _ here: (String, String, String), _ there: (String, String, String), _ record: String? = nil
    ) -> Pair {
        let (first, second) = here <= there ? (here, there) : (there, here)
        let kind = "\(first.0):\(second.0)/\(first.1):\(second.1)"
        return Pair(
            record: record ?? Self.name(for: "\(kind)/\(first.2):\(second.2)"), kind: kind, first: first.2,
            second: second.2)
    }
}

extension FieldValue {
    /// The length of `content`; nil for other values.
    var contentBytes: Int? {
        switch self {
        case .string(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        default: nil
        }
    }

    /// The bytes of a text or of binary data, which can become an asset; nil for other values.
    var content: Data? {
        switch self {
        case .string(let text): Data(text.utf8)
        case .bytes(let bytes): Data(bytes)
        default: nil
        }
    }
}
