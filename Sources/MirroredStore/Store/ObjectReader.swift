import GRDB
import ObjectModel
public import Records

/// A consistent snapshot of the objects, valid only inside the closure that receives it.
public struct ObjectReader {
    let graph: Graph

    /// The object with this ID; nil if there is none.
    ///
    /// - Throws: `MirroredStoreError`.
    public func object(_ id: MirroredObject.ID) throws -> MirroredObject? {
        try graph.stored(id).map(visible)
    }

    /// The objects of an entity and of those that inherit from it.
    ///
    /// ```swift
    /// try objects.objects("Post", where: "CD_title LIKE ?", ["%balloon%"], order: "CD_title")
    /// ```
    ///
    /// - Parameters:
    ///   - condition: SQL; the columns are `CD_` with the names of attributes and to-one relationships.
    ///   - arguments: the values for the question marks of the condition.
    ///   - order: SQL, by default the objects' names.
    /// - Throws: `MirroredStoreError`.
    public func objects(
        _ entity: String, where condition: String = "1", _ arguments: [FieldValue] = [],
        order: String = "id"
    ) throws -> [MirroredObject] {
        let resolved = try graph.layout.entity(entity)
        let marks = resolved.family.map { _ in "?" }.joined(separator: ", ")
        let values = resolved.family.map(\.databaseValue) + arguments.map(\.databaseValue)
        return try graph.stored(
            root: resolved.root, "entity IN (\(marks)) AND (\(condition))", StatementArguments(values),
            order: order
        ).map(visible)
    }

    /// The objects at the other end of a relationship, sorted by name.
    ///
    /// - Throws: `MirroredStoreError`.
    public func related(_ id: MirroredObject.ID, _ name: String) throws -> [MirroredObject] {
        guard let object = try graph.stored(id) else { return [] }
        let relationship = try graph.layout.entity(object.entity).relationship(name)
        return try graph.ends(of: object, relationship).compactMap { try graph.stored($0).map(visible) }
    }

    /// Whether two objects are in the same share, or both in none. If not, relating them moves objects into a
    /// share, or fails with `alreadyShared` if they are in different shares.
    ///
    /// - Throws: `MirroredStoreError`.
    public func haveSameShare(_ first: MirroredObject.ID, _ second: MirroredObject.ID) throws -> Bool {
        try graph.place(of: first.name) == graph.place(of: second.name)
    }

    /// Returns the object without to-one relationships to objects that have not arrived yet, or that are not
    /// in its share.
    func visible(_ object: MirroredObject) throws -> MirroredObject {
        var object = object
        for name in object.targets.keys {
            guard let target = object.target(name) else { continue }
            let isThere = try graph.has(target) && graph.canReach(from: object.id.name, to: target.name)
            if !isThere { object.targets[name] = nil }
        }
        return object
    }
}

extension Graph {
    /// The relationship back.
    func inverse(of relationship: StoreLayout.Relationship) throws -> StoreLayout.Relationship {
        try layout.entity(relationship.target).relationship(relationship.inverse)
    }

    /// The IDs at the other end of a relationship. Some of them may not have arrived yet.
    func ends(
        of object: MirroredObject, _ relationship: StoreLayout.Relationship
    ) throws -> [MirroredObject.ID] {
        let root = try layout.entity(relationship.target).root
        if !relationship.isToMany {
            guard let target = object.targets[relationship.name],
                try canReach(from: object.id.name, to: target)
            else { return [] }
            return [MirroredObject.ID(root: root, name: target)]
        }
        let inverse = try inverse(of: relationship)
        let names: [String]
        if inverse.isToMany {
            names = try pairs(of: object, relationship).map(\.end)
        } else {
            names = try sources(of: inverse.name, from: relationship.target, to: object.id.name).filter {
                try canReach(from: $0, to: object.id.name)
            }
        }
        return Set(names).sorted().map { MirroredObject.ID(root: root, name: $0) }
    }

    /// The pairs of an object in a relationship with many objects on both sides, with the names of the other
    /// ends.
    func pairs(
        of object: MirroredObject, _ relationship: StoreLayout.Relationship
    ) throws -> [(pair: Pair, end: String)] {
        let entity = object.entity
        let translation = RecordTranslation(layout: layout, longValue: 0, recordBytes: 0)
        // A pair of the object with itself: only the kind is used, which does not depend on the names.
        let here = translation.pair(
            object.id, entity, relationship, MirroredObject.ID(root: "", name: object.id.name))
        // The kind names the relationship of the pair's first object first. Both conditions hold if the
        // relationship and its inverse have the same name.
        let isFirst = here.kind.hasSuffix("/\(relationship.name):\(relationship.inverse)")
        let isLast = here.kind.hasSuffix("/\(relationship.inverse):\(relationship.name)")
        return try pairs(with: object.id.name, kind: here.kind).compactMap { pair in
            guard try canReach(from: pair.record, to: pair.first),
                try canReach(from: pair.record, to: pair.second)
            else { return nil }
            if isFirst, pair.first == object.id.name { return (pair, pair.second) }
            if isLast, pair.second == object.id.name { return (pair, pair.first) }
            return nil
        }
    }
}
