import Records

/// Checks the rules that every model must keep, mirrored or not, because tables and relationships depend on
/// them.
struct LayoutRules {
    private(set) var problems: [MirroredStoreError]
    private let list: [StoreLayout.Entity]
    private let lineage: InheritanceTree

    init(_ list: [StoreLayout.Entity], _ lineage: InheritanceTree) {
        self.list = list
        self.lineage = lineage
        problems = lineage.problems
        if !problems.isEmpty { return }
        for entity in list { checkNames(of: entity) }
        checkTrees()
        for entity in list {
            for attribute in entity.attributes { check(attribute, of: entity) }
            for names in entity.uniquenessConstraints {
                refuse(
                    entity.name,
                    "no store checks its uniqueness constraint on \(names.joined(separator: ", "))",
                    next: "remove the constraint, and merge equal objects after an import")
            }
        }
        checkRelationships()
    }

    private mutating func refuse(_ culprit: String, _ reason: String, next: String) {
        problems.append(.model(culprit, reason, next: next))
    }

    // MARK: Names

    private mutating func checkNames(of entity: StoreLayout.Entity) {
        check(name: entity.name, "")
        for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
            check(name: name, "\(entity.name).")
            if MirroredName.reserved.contains(name) {
                refuse(
                    "\(entity.name).\(name)",
                    "mirrored records have a field \(MirroredName.field(name)) of their own",
                    next: "rename it")
            }
        }
    }

    private mutating func check(name: String, _ prefix: String) {
        let isName = name.utf8.allSatisfy {
            $0 == 0x5F || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39)
        }
        if !isName || name.isEmpty || name.utf8.count > MirroredName.maximumBytes {
            refuse(
                prefix + name,
                "a name is 1 to \(MirroredName.maximumBytes) letters of ASCII, digits or underscores",
                next: "rename it")
        }
    }

    /// All entities below a root share a table and a record type, so equal names must mean the same field.
    private mutating func checkTrees() {
        var fields: [String: [String: [Declaration]]] = [:]
        for entity in list {
            guard let root = lineage.lines[entity.name]?[0].name else { continue }
            let own =
                entity.attributes.map { Declaration(entity: entity.name, name: $0.name, attribute: $0) }
                + entity.relationships.map { Declaration(entity: entity.name, name: $0.name, attribute: nil) }
            for declaration in own {
                let key = declaration.name.lowercased()
                let known = fields[root]?[key] ?? []
                if let other = known.first(where: { !mayShare(declaration, $0) }) {
                    refuse(
                        "\(entity.name).\(declaration.name)",
                        "\(other.entity).\(other.name) has this name too, and both are fields of "
                            + MirroredName.type(root),
                        next: "rename one, or declare it once in an entity from which both inherit")
                } else {
                    fields[root, default: [:]][key, default: []].append(declaration)
                }
            }
        }
        for known in fields.sorted(by: { $0.key < $1.key }).map(\.value) {
            for declaration in known.sorted(by: { $0.key < $1.key }).flatMap(\.value) {
                guard let attribute = declaration.attribute, attribute.hasAssetTwin,
                    let other = known["\(declaration.name)\(MirroredName.twinSuffix)".lowercased()]?.first
                else { continue }
                refuse(
                    "\(other.entity).\(other.name)",
                    "records have a field of this name for long values of \(declaration.name)",
                    next: "rename it")
            }
        }
    }

    private struct Declaration {
        let entity: String
        let name: String
        /// Nil for a relationship.
        let attribute: StoreLayout.Attribute?
    }

    /// Whether two declarations in one tree can use the same field: neither is inherited by the entity of the
    /// other, and they have the same name and the same type of value.
    private func mayShare(_ one: Declaration, _ other: Declaration) -> Bool {
        let isInherited = [(one, other), (other, one)].contains { below, above in
            lineage.lines[below.entity]?.contains { $0.name == above.entity } ?? false
        }
        if isInherited || one.name != other.name { return false }
        switch (one.attribute, other.attribute) {
        case (nil, nil): return true
        case (let first?, let second?):
            return first.type == second.type && first.isEncrypted == second.isEncrypted
                && first.isTransient == second.isTransient
        case (_?, nil), (nil, _?): return false
        }
    }

    // MARK: Attributes

    private mutating func check(_ attribute: StoreLayout.Attribute, of entity: StoreLayout.Entity) {
        let culprit = "\(entity.name).\(attribute.name)"
        if attribute.type.kind == nil {
            if attribute.type == .undefined, attribute.isTransient { return }
            refuse(
                culprit, "no store holds values of the type \(attribute.type)",
                next: "give it another type, or make it transient with the type undefined")
        } else if let value = attribute.defaultValue, !attribute.type.accepts(value) {
            refuse(
                culprit, "its default value is not of the type \(attribute.type)",
                next: "correct the default value")
        }
    }

    // MARK: Relationships

    private mutating func checkRelationships() {
        // The relationships of each entity with the inherited ones.
        let all = lineage.lines.mapValues { line in
            Dictionary(
                line.flatMap(\.relationships).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }
        for entity in list {
            for relationship in entity.relationships { check(relationship, of: entity, among: all) }
        }
    }

    private mutating func check(
        _ relationship: StoreLayout.Relationship, of entity: StoreLayout.Entity,
        among all: [String: [String: StoreLayout.Relationship]]
    ) {
        let culprit = "\(entity.name).\(relationship.name)"
        if relationship.isOrdered {
            refuse(
                culprit, "it is ordered, and stores keep no order",
                next: "remove the order, and add an attribute for the position")
        }
        guard let target = all[relationship.target] else {
            return refuse(
                culprit,
                "it leads to \(relationship.target), but the store has no entity \(relationship.target)",
                next: "move it to the same configuration, or store the name of its object in an attribute")
        }
        guard !relationship.inverse.isEmpty, let inverse = target[relationship.inverse] else {
            return refuse(
                culprit, "it has no inverse relationship",
                next: "add one to \(relationship.target) that leads back, and name it as the inverse")
        }
        let leadsBack = lineage.lines[entity.name]?.contains { $0.name == inverse.target } ?? false
        if inverse.inverse != relationship.name || !leadsBack {
            refuse(
                culprit,
                "its inverse \(relationship.target).\(inverse.name) leads to "
                    + "\(inverse.target).\(inverse.inverse) instead",
                next: "make each of the two relationships the inverse of the other")
        }
    }
}
