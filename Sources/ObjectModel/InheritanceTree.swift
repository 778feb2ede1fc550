import Records

/// The inheritance of entities: for each entity, the line from its root down to itself.
struct InheritanceTree {
    /// Bounds the work for a model from a file. The deepest known models have fewer than ten generations.
    static let maximumGenerations = 64
    /// Bounds the memory: the resolved form of each entity contains the properties that it inherits.
    static let maximumProperties = 200_000

    private(set) var lines: [String: [StoreLayout.Entity]] = [:]
    private(set) var problems: [MirroredStoreError] = []

    init(_ list: [StoreLayout.Entity]) {
        var known: [String: StoreLayout.Entity] = [:]
        var spellings: [String: String] = [:]
        for entity in list {
            if let other = spellings.updateValue(entity.name, forKey: entity.name.lowercased()) {
                problems.append(
                    .model(
                        entity.name,
                        "the model has this entity twice, or \(other), which differs in case only",
                        next: "rename one of them"))
            }
            known[entity.name] = entity
        }
        for entity in list {
            do { lines[entity.name] = try Self.line(of: entity, in: known) } catch { problems.append(error) }
        }
        let count = lines.values.reduce(0) { sum, line in
            sum + line.reduce(0) { $0 + $1.attributes.count + $1.relationships.count }
        }
        if count > Self.maximumProperties {
            problems.append(
                .model(
                    "the model",
                    "its entities have more than \(Self.maximumProperties) properties with inherited ones",
                    next: "let fewer entities inherit from entities with many properties"))
            lines = [:]
        }
    }

    private static func line(
        of entity: StoreLayout.Entity, in known: [String: StoreLayout.Entity]
    ) throws(MirroredStoreError) -> [StoreLayout.Entity] {
        var line = [entity]
        while let parent = line[line.count - 1].parent {
            guard let next = known[parent] else {
                throw .model(
                    entity.name, "it inherits from \(parent), but the model has no entity \(parent)",
                    next: "add \(parent), or remove the parent entity")
            }
            guard !line.contains(where: { $0.name == parent }) else {
                throw .model(
                    entity.name, "it inherits from itself, by way of \(parent)",
                    next: "remove the parent entity of one of them")
            }
            guard line.count < maximumGenerations else {
                throw .model(
                    entity.name, "it inherits over more than \(maximumGenerations) generations",
                    next: "shorten the line of parent entities")
            }
            line.append(next)
        }
        return line.reversed()
    }

    /// The entities with all that they inherit.
    func resolved() -> [String: StoreLayout.Resolved] {
        var families: [String: [String]] = [:]
        for (name, line) in lines {
            for ancestor in line { families[ancestor.name, default: []].append(name) }
        }
        return Dictionary(
            uniqueKeysWithValues: lines.map { name, line in
                let attributes = line.flatMap(\.attributes)
                let relationships = line.flatMap(\.relationships)
                let (stored, transients) = (
                    attributes.filter { !$0.isTransient }, attributes.filter(\.isTransient)
                )
                return (
                    name,
                    StoreLayout.Resolved(
                        name: name, root: line[0].name, isAbstract: line[line.count - 1].isAbstract,
                        attributes: stored, transients: transients, relationships: relationships,
                        shape: StoreLayout.Shape(
                            kinds: Self.types(stored), transients: Self.types(transients),
                            toOnes: roots(ofToOnes: relationships)),
                        family: families[name, default: []].sorted())
                )
            })
    }

    private static func types(
        _ attributes: [StoreLayout.Attribute]
    ) -> [String: StoreLayout.AttributeType] {
        Dictionary(attributes.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
    }

    private func roots(ofToOnes relationships: [StoreLayout.Relationship]) -> [String: String] {
        let roots = relationships.filter { !$0.isToMany }.compactMap { relationship in
            lines[relationship.target].map { (relationship.name, $0[0].name) }
        }
        return Dictionary(roots, uniquingKeysWith: { first, _ in first })
    }
}

extension MirroredStoreError {
    /// The error for a rule that a model breaks.
    static func model(_ culprit: String, _ reason: String, next: String) -> MirroredStoreError {
        MirroredStoreError(.incompatibleModel, culprit, reason, nextStep: next)
    }
}
