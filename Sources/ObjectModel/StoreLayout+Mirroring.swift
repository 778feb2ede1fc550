import Records

extension StoreLayout {
    /// Throws the first rule of mirrored stores that the model breaks.
    ///
    /// They are the rules of Core Data's models for CloudKit: another device may know an object before all of
    /// its attributes and relationships have arrived.
    ///
    /// - Parameter isPublic: whether the store is mirrored with a public database, which has no encrypted
    ///   fields.
    /// - Throws: `MirroredStoreError` with the code `incompatibleModel`.
    public func checkMirroring(isPublic: Bool = false) throws {
        if let problem = Self.mirroringProblems(in: declared).first { throw problem }
        guard isPublic else { return }
        for entity in declared {
            guard let attribute = entity.attributes.first(where: { $0.isEncrypted && !$0.isTransient }) else {
                continue
            }
            throw MirroredStoreError.model(
                "\(entity.name).\(attribute.name)",
                "it allows encryption, and a public database stores no encrypted values",
                next: "remove the encryption, or mirror the entity with the private database")
        }
    }

    /// The errors of the entities that break a rule of mirrored stores, in the order of the entities.
    static func mirroringProblems(in list: [Entity]) -> [MirroredStoreError] {
        list.flatMap { entity in
            let bare = entity.attributes.filter {
                !$0.isOptional && $0.defaultValue == nil && !$0.isTransient
            }
            return bare.map { attribute in
                .model(
                    "\(entity.name).\(attribute.name)", "it is neither optional nor has a default value",
                    next: "make it optional, or give it a default value")
            } + entity.relationships.flatMap { $0.mirroringProblems(of: entity.name) }
        }
    }

    /// The entities of a configuration: its members, and their parent entities, which count as abstract.
    static func entities(
        of configuration: Configuration?, in list: [Entity]
    ) -> (entities: [Entity], problems: [MirroredStoreError]) {
        guard let configuration else { return (list, []) }
        let known = Dictionary(list.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let members = Set(configuration.members)
        let missing = configuration.members.filter { known[$0] == nil }.map { name in
            MirroredStoreError.model(
                name,
                "the configuration \(configuration.name) has this member, which is no entity of the model",
                next: "add the entity, or remove it from the configuration")
        }
        var ancestors: Set<String> = []
        for name in members {
            var next = known[name]?.parent
            while let parent = next, !members.contains(parent), ancestors.insert(parent).inserted {
                next = known[parent]?.parent
            }
        }
        let chosen = list.compactMap { entity -> Entity? in
            if members.contains(entity.name) { return entity }
            guard ancestors.contains(entity.name) else { return nil }
            var ancestor = entity
            ancestor.isAbstract = true
            return ancestor
        }
        return (chosen, missing)
    }
}

extension StoreLayout.Relationship {
    fileprivate func mirroringProblems(of entity: String) -> [MirroredStoreError] {
        var problems: [MirroredStoreError] = []
        let culprit = "\(entity).\(name)"
        if !isOptional {
            problems.append(
                .model(
                    culprit, "it is not optional, and objects arrive before those at the other end",
                    next: "make the relationship optional"))
        }
        if deleteRule == .deny {
            problems.append(
                .model(
                    culprit, "its delete rule is deny, and a deletion on another device cannot be refused",
                    next: "use the delete rule nullify or cascade"))
        }
        return problems
    }
}
