import CloudSync
public import Cloudlet
import LocalReplica
import ObjectModel
import Records

// Related objects are in one zone: an object that becomes related to an object of a share moves into the
// share, with all its related objects. So a participant never sees only one end of a relationship.
extension ObjectWriter {
    /// Puts a new object into a share, with all its related objects. An object that is related to an object
    /// of a share belongs to the share without this call.
    ///
    /// - Throws: `MirroredStoreError` when the transaction ends: `notFound` if the store does not have the
    ///   share, and `alreadyShared` if an object belongs to another one.
    public func assign(_ id: MirroredObject.ID, to share: CKShare) {
        assigned[id] = ZoneID(share.recordID.zoneID)
    }

    func moveAssigned(_ commit: Commit) throws {
        for (id, zone) in assigned.sorted(by: { $0.key < $1.key }) where try graph.has(id) {
            let known = try commit.writer.reader.zones().first { $0.id == zone }
            guard commit.scope != nil, ObjectZone.isMirrored(zone.name), zone != ObjectZone.home,
                known?.isInUse == true
            else {
                throw MirroredStoreError(
                    .notFound, zone.name, "the store has no such share", nextStep: "mirror the store first")
            }
            if let other = try graph.place(of: id.name) {
                if other != zone { throw MirroredStoreError.alreadyShared(id, in: other) }
            } else {
                try move(id, to: zone, commit)
            }
        }
    }

    /// Determines the zones of the changed objects and pairs. Objects that leave `ObjectZone.home` are
    /// exported again in their new zone.
    ///
    /// - Throws: `MirroredStoreError` with the code `alreadyShared` if the transaction relates objects of two
    ///   shares, and with `notPlaced` if a new object belongs to no share in a store of shared objects.
    func assignZones(_ commit: Commit) throws {
        let isShared = commit.scope == .shared
        if try commit.scope == nil || !isShared && !graph.hasPlaces() { return }
        for id in changed.keys.sorted() where try graph.has(id) {
            try assignZones(id, commit)
            if isShared, !commit.isImport, try graph.place(of: id.name) == nil { throw notPlaced(id) }
        }
        for entry in pairs.values where entry.isAdded { try assignZones(entry.pair) }
    }

    private func notPlaced(_ id: MirroredObject.ID) -> MirroredStoreError {
        MirroredStoreError(
            .notPlaced, "\(id.root) \(id.name)", "a store of shared objects contains no others",
            nextStep: "relate the object to one of a share, or name a share with ObjectWriter.assign")
    }

    private func assignZones(_ id: MirroredObject.ID, _ commit: Commit) throws {
        let here = try graph.place(of: id.name)
        let explicit = commit.isImport ? [] : try newlyRelated(to: id)
        let related = try explicit.union(graph.relatedObjects(of: id))
        let places = try Set(related.compactMap { try graph.place(of: $0.name) })
        if let here {
            // Both objects of a pair may have moved into the share before the pair.
            for pair in try graph.pairs(with: id.name) { try assignZones(pair) }
            if !commit.isImport, let other = places.first(where: { $0 != here }) {
                throw relatedToOther(id, other)
            }
            for next in related.sorted() where try graph.place(of: next.name) == nil {
                try move(next, to: here, commit)
            }
        } else if let zone = places.min(by: { $0.name < $1.name }) {
            if places.count > 1, !commit.isImport { throw relatedToOther(id, zone) }
            try move(id, to: zone, commit)
        }
    }

    /// The error for an object that is related to objects of two shares; `zone` is one of the two.
    private func relatedToOther(_ id: MirroredObject.ID, _ zone: ZoneID) -> MirroredStoreError {
        MirroredStoreError(
            .alreadyShared, "\(id.root) \(id.name)",
            "it is related to objects of another share (\(zone.name))",
            nextStep: "relate it to objects of one share only")
    }

    /// The objects to which this transaction has related an object.
    private func newlyRelated(to id: MirroredObject.ID) throws -> Set<MirroredObject.ID> {
        var related: Set<MirroredObject.ID> = []
        if let object = try graph.stored(id) {
            let old = changed[id]?.before?.targets
            for name in object.targets.keys where object.targets[name] != old?[name] {
                if let target = object.target(name), try graph.has(target) { related.insert(target) }
            }
        }
        for entry in pairs.values where entry.isAdded {
            for (end, other) in [
                (entry.pair.first, entry.pair.second), (entry.pair.second, entry.pair.first),
            ]
            where end == id.name {
                if let root = try graph.root(of: other) {
                    related.insert(MirroredObject.ID(root: root, name: other))
                }
            }
        }
        return related
    }

    /// Moves an object into the zone of a share, with all objects outside of shares to which it leads.
    /// Returns them.
    ///
    /// During an import, the objects stay while the file of a long value has not arrived. A later import
    /// moves them.
    ///
    /// - Throws: `MirroredStoreError` with the code `lacksFile` if this is no import and a file is missing.
    @discardableResult
    func move(
        _ start: MirroredObject.ID, to zone: ZoneID, _ commit: Commit
    ) throws -> Set<MirroredObject.ID> {
        var group = try graph.group(of: start)
        // If an object has no record, its deletion has been fetched and is imported next.
        if commit.isImport { group = try group.filter { try commit.hasRecord($0.name) } }
        if let lacking = try group.sorted().first(where: { try commit.lacksFile($0.name) }) {
            if commit.isImport { return [] }
            throw MirroredStoreError(
                .lacksFile, "\(lacking.root) \(lacking.name)",
                "the file of a long value has not arrived on this device", nextStep: "mirror the store first")
        }
        for id in group {
            try touch(id)
            try graph.setPlace(id.name, zone)
        }
        for id in group {
            for pair in try graph.pairs(with: id.name) { try assignZones(pair) }
        }
        return group
    }

    /// Gives a pair outside of shares the zone of its objects, if both are in one share.
    private func assignZones(_ pair: Pair) throws {
        guard try graph.place(of: pair.record) == nil, let zone = try graph.place(of: pair.first),
            try zone == graph.place(of: pair.second)
        else { return }
        try graph.setPlace(pair.record, zone)
        pairs[pair.record] = (pair, true)
    }
}

extension MirroredStoreError {
    /// The error for an object that is to go into a share, but belongs to another one.
    static func alreadyShared(_ id: MirroredObject.ID, in zone: ZoneID) -> MirroredStoreError {
        MirroredStoreError(
            .alreadyShared, "\(id.root) \(id.name)", "it belongs to the share \(zone.name)",
            nextStep: "use that share, or end it first")
    }
}

extension Graph {
    /// The objects that are related to an object, in both directions.
    func relatedObjects(of id: MirroredObject.ID) throws -> Set<MirroredObject.ID> {
        guard let object = try stored(id) else { return [] }
        var found: Set<MirroredObject.ID> = []
        for relationship in try layout.entity(object.entity).relationships {
            for end in try ends(of: object, relationship) where try has(end) { found.insert(end) }
        }
        return found
    }

    /// An object and all objects outside of shares that are related to it, directly or through others.
    func group(of start: MirroredObject.ID) throws -> Set<MirroredObject.ID> {
        var group: Set<MirroredObject.ID> = [start]
        var next = [start]
        while let id = next.popLast() {
            for relative in try relatedObjects(of: id)
            where try !group.contains(relative) && place(of: relative.name) == nil {
                group.insert(relative)
                next.append(relative)
            }
        }
        return group
    }

    /// The root of the object with this name; nil if there is none.
    func root(of name: String) throws -> String? {
        try layout.roots.first { try has(MirroredObject.ID(root: $0, name: name)) }
    }
}
