import CommandShell
import Foundation
import LocalReplica
import MirroredStore
import Records

/// The models on this device, each an object of the store. When a change returns, it is on disk; the next
/// sync sends it to the server.
struct Repository: Sendable {
    /// The zone of the private database that contains the records of all objects.
    static let zone = "com.apple.coredata.cloudkit.zone"

    let store: MirroredStore
    /// The records of the objects, with their pending changes.
    var replica: LocalReplica { store.replica }

    func all<Kind: Model>(_ type: Kind.Type) async throws -> [Kind] {
        let replica = replica
        return try await store.read { objects in
            try objects.objects(Kind.recordType).map { try Kind($0, objects, replica) }
        }
    }

    func save<Kind: Model>(_ model: Kind) async throws {
        let replica = replica
        try await store.write { objects in
            var object = try objects.make(Kind.recordType, name: model.id)
            for property in Kind.properties { try property.write(model, to: &object, replica) }
            try objects.save(object)
            for property in Kind.properties {
                guard case .references(let target) = property.kind else { continue }
                let wanted = property.get(model).flatMap([String].init(fieldValue:)) ?? []
                let known = try objects.reader.related(object.id, property.key).map(\.id)
                let new = Set(wanted.map { MirroredObject.ID(root: target.recordType, name: $0) })
                for id in new.subtracting(known) { try objects.link(object.id, property.key, id) }
                for id in known where !new.contains(id) { try objects.unlink(object.id, property.key, id) }
            }
        }
    }

    /// The IDs of a model and of all models that are deleted with it, its own first.
    func family(of id: String) async throws -> [String] {
        try await store.read { objects in
            var family = try Self.find(id, objects).map { [$0] } ?? []
            // The loop appends to the list that it reads, so that it also finds the children of children.
            var next = 0
            while next < family.count {
                for inverse in Self.inverses(of: family[next].root) where inverse.deleteRule == .cascade {
                    let children = try objects.related(family[next], inverse.name).map(\.id)
                    family += children.filter { !family.contains($0) }
                }
                next += 1
            }
            return family.map(\.name)
        }
    }

    /// Deletes a model and the models that are deleted with it.
    func delete(_ id: String) async throws {
        try await store.write { objects in
            if let id = try Self.find(id, objects.reader) { try objects.delete(id) }
        }
    }

    /// The ID of the object of a model; nil if there is none.
    static func find(_ id: String, _ objects: ObjectReader) throws -> MirroredObject.ID? {
        let all = Models.all.map { MirroredObject.ID(root: $0.recordType, name: id) }
        return try all.first { try objects.object($0) != nil }
    }
}

// The entities of the store, made from the properties of the models.
extension Repository {
    static func layout() throws -> StoreLayout {
        try StoreLayout(Models.all.map { entity($0) })
    }

    private static func entity<Kind: Model>(_ type: Kind.Type) -> StoreLayout.Entity {
        StoreLayout.Entity(
            Kind.recordType,
            attributes: Kind.properties.compactMap { property in
                property.kind.attribute.map { StoreLayout.Attribute(property.key, $0) }
            },
            relationships: relationships(of: type) + inverses(of: Kind.recordType))
    }

    private static func relationships<Kind: Model>(of type: Kind.Type) -> [StoreLayout.Relationship] {
        Kind.properties.compactMap { property in
            let inverse = "\(Kind.word)_\(property.key)"
            switch property.kind {
            case .reference(let target, _):
                return .init(property.key, to: target.recordType, inverse: inverse)
            case .references(let target):
                return .init(property.key, to: target.recordType, inverse: inverse, isToMany: true)
            default: return nil
            }
        }
    }

    /// The relationships from an entity to the models that refer to it.
    private static func inverses(of entity: String) -> [StoreLayout.Relationship] {
        Models.all.flatMap { inverses(of: entity, from: $0) }
    }

    private static func inverses<Kind: Model>(
        of entity: String, from type: Kind.Type
    ) -> [StoreLayout.Relationship] {
        relationships(of: type).filter { $0.target == entity }.map { relationship in
            let property = Kind.properties.first { $0.key == relationship.name }
            let isOwner = if case .reference(_, true)? = property?.kind { true } else { false }
            return .init(
                relationship.inverse, to: Kind.recordType, inverse: relationship.name, isToMany: true,
                deleteRule: isOwner ? .cascade : .nullify)
        }
    }
}

extension PropertyKind {
    /// The form of the attribute's values; nil for a relationship.
    fileprivate var attribute: StoreLayout.AttributeType? {
        switch self {
        case .text, .texts: .string
        case .flag: .boolean
        case .whole: .integer64
        case .number: .double
        case .date: .date
        case .photo: .binaryData
        case .reference, .references: nil
        }
    }
}

extension Property {
    /// Writes the value into an object. A list of texts is one text, a JSON array; a photo is its bytes.
    fileprivate func write(_ model: Owner, to object: inout MirroredObject, _ replica: LocalReplica) throws {
        let value = get(model)
        switch (kind, value) {
        case (.references, _): break
        case (.reference(let target, _), _):
            let name = value.flatMap(Reference.init(fieldValue:))?.recordName
            try object.relate(key, to: name.map { MirroredObject.ID(root: target.recordType, name: $0) })
        case (.texts, let value?):
            let texts = try [String](fieldValue: value).map { try JSONEncoder().encode($0) }
            try object.set(key, to: texts.map { String(decoding: $0, as: UTF8.self) })
        case (.photo, .asset(let photo)?):
            guard let file = replica.file(of: photo) else { break }
            try object.set(key, to: try Data(contentsOf: file))
        case (_, .string(let text)?): try object.set(key, to: text)
        case (_, .int64(let number)?): try object.set(key, to: number)
        case (_, .double(let number)?): try object.set(key, to: number)
        case (_, .timestamp(let moment)?): try object.set(key, to: moment.date)
        default: try object.set(key, to: nil)
        }
    }
}

extension Model {
    /// Reads an object with its relationships.
    fileprivate init(
        _ object: MirroredObject, _ objects: ObjectReader, _ replica: LocalReplica
    ) throws {
        self.init(id: object.id.name)
        for property in Self.properties {
            let value: FieldValue?
            switch (property.kind, object.values[property.key]) {
            case (.reference, _):
                value = object.target(property.key).map { Reference(recordName: $0.name).fieldValue }
            case (.references, _):
                value = try objects.related(object.id, property.key).map(\.id.name).fieldValue
            case (.texts, .string(let text)?):
                value = try JSONDecoder().decode([String].self, from: Data(text.utf8)).fieldValue
            case (.photo, .bytes(let bytes)?):
                value = .asset(try replica.keepFile(content: Data(bytes)))
            case (_, let other): value = other
            }
            property.set(&self, value)
        }
    }
}

extension MirroredStoreError: @retroactive ShellErrorConvertible {
    /// The error as the shell prints it.
    public var shellError: ShellError {
        ShellError(code: "\(code)", message: "\(culprit): \(reason)", remedy: nextStep)
    }
}
