import CloudSync
public import Cloudlet
import GRDB
import LocalReplica
import ObjectModel
import Records

// The methods have the names of the methods of `NSPersistentCloudKitContainer`.
extension MirroredStore {
    /// Moves objects, and all objects to which they lead over relationships, into a share. Returns all
    /// objects that the share contains because of this call, and the share as the server has saved it.
    ///
    /// Each share has its own zone, and covers the whole zone. To invite people, add participants to the
    /// share, and save it with `persistUpdatedShare(_:)`. For everybody with the URL, set `publicPermission`
    /// instead.
    ///
    /// ```swift
    /// let (_, share, container) = try await store.share([post], to: nil)
    /// share.addParticipant(try await container.shareParticipant(forEmailAddress: address))
    /// try await store.persistUpdatedShare(share)
    /// ```
    ///
    /// - Parameter share: a share of this store to which the objects are added; nil: a new one.
    /// - Throws: `MirroredStoreError` with the code `alreadyShared` if one of the objects belongs to another
    ///   share, `notFound`, `lacksFile`, or `notShareable` if the store is not mirrored in a private
    ///   database; and `CKError` if the server cannot be reached or refuses the share. The objects then stay
    ///   where they are.
    public func share(
        _ objects: [MirroredObject.ID], to share: CKShare?
    ) async throws -> (Set<MirroredObject.ID>, CKShare, CKContainer) {
        let container = try sharingContainer()
        try await check(objects, fitInto: share.map { ZoneID($0.recordID.zoneID) })
        var new: ShareZone?
        let present: CKShare
        if let share {
            present = share
        } else {
            let made = ShareZone(
                zone: ObjectZone.share(settings.newName()), database: container.privateCloudDatabase)
            present = try await made.make(in: replica)
            new = made
        }
        let zone = ZoneID(present.recordID.zoneID)
        let moved: Set<MirroredObject.ID>
        do {
            moved = try await write(author: Self.sharingAuthor) { writer in
                try writer.shareAll(objects, in: zone)
            }
        } catch {
            await new?.discard()
            throw error
        }
        try await mirror()
        return (moved, try await replica.share(for: ObjectZone.shareID(of: zone)) ?? present, container)
    }

    /// The author of the transactions that move objects into shares.
    public static let sharingAuthor = "share"

    private func sharingContainer() throws -> CKContainer {
        if let container, scope == .private { return container }
        throw MirroredStoreError(
            .notShareable, "the store", "only objects in a private database can be shared",
            nextStep: "share objects of a store with the scope .private")
    }

    /// Checks before a request that the objects exist and belong to no other share.
    private func check(_ objects: [MirroredObject.ID], fitInto zone: ZoneID?) async throws {
        try await read { reader in
            for object in objects {
                guard try reader.graph.has(object) else {
                    throw MirroredStoreError(
                        .notFound, "\(object.root) \(object.name)", "the object does not exist",
                        nextStep: "save it first")
                }
                if let place = try reader.graph.place(of: object.name), place != zone {
                    throw MirroredStoreError.alreadyShared(object, in: place)
                }
            }
        }
    }

    /// Accepts invitations, and fetches the objects of their shares. The store has the scope `.shared`.
    ///
    /// - Throws: `CKError` of the first invitation that cannot be accepted, and `MirroredStoreError`.
    @discardableResult
    public func acceptShareInvitations(from metadata: [CKShare.Metadata]) async throws -> [CKShare.Metadata] {
        guard let container, scope == .shared else {
            throw MirroredStoreError(
                .notShareable, "the store", "it is not mirrored in a shared database",
                nextStep: "accept the invitation in a store with the scope .shared")
        }
        let most = Limits().sharesPerRequest
        for start in stride(from: 0, to: metadata.count, by: most) {
            let next = Array(metadata[start..<min(start + most, metadata.count)])
            for result in try await container.accept(next).values { _ = try result.get() }
        }
        try await mirror()
        return metadata
    }

    /// Saves a share whose participants, permissions or title have changed, and fetches it.
    ///
    /// - Throws: `CKError` and `MirroredStoreError`.
    @discardableResult
    public func persistUpdatedShare(_ share: CKShare) async throws -> CKShare {
        let database = try database()
        _ = try await database.save(share)
        try await mirror()
        return try await replica.share(for: RecordID(share.recordID)) ?? share
    }

    private func database() throws -> CKDatabase {
        guard let container, let scope, scope != .public else {
            throw MirroredStoreError(
                .notShareable, "the store", "it is not mirrored to a private or shared database",
                nextStep: "open it with a container and the scope .private or .shared")
        }
        return scope == .shared ? container.sharedCloudDatabase : container.privateCloudDatabase
    }

    /// The shares to which objects belong, by object. Objects in no share are left out.
    ///
    /// - Throws: `MirroredStoreError`.
    public func fetchShares(
        matching objects: [MirroredObject.ID]
    ) async throws -> [MirroredObject.ID: CKShare] {
        let places = try await read { reader in
            try objects.compactMap { id in try reader.graph.place(of: id.name).map { (id, $0) } }
        }
        var known: [ZoneID: CKShare] = [:]
        for zone in Set(places.map(\.1)) {
            known[zone] = try await replica.share(for: ObjectZone.shareID(of: zone))
        }
        let found = places.compactMap { id, zone in known[zone].map { (id, $0) } }
        return Dictionary(found, uniquingKeysWith: { first, _ in first })
    }

    /// All shares of the store, by zone.
    ///
    /// - Throws: `MirroredStoreError`.
    public func fetchShares() async throws -> [CKShare] {
        let zones = try await replica.read { reader in
            try reader.zones().filter { ObjectZone.isMirrored($0.name) && $0.closure == nil }.map(\.id)
        }
        var shares: [CKShare] = []
        for zone in zones {
            if let share = try await replica.share(for: ObjectZone.shareID(of: zone)) { shares.append(share) }
        }
        return shares
    }

    /// Deletes all objects of a share with their zone; a participant leaves the share instead. A zone that is
    /// no longer shared with the person is removed from this device, with its pending changes.
    ///
    /// - Throws: `CKError` and `MirroredStoreError`.
    public func purgeObjectsAndRecordsInZone(with zoneID: CKRecordZone.ID) async throws {
        let zone = ZoneID(zoneID)
        guard zone != ObjectZone.home, ObjectZone.isMirrored(zone.name) else {
            throw MirroredStoreError(
                .notFound, zone.name, "it is the zone of no share", nextStep: "use the zone of a share")
        }
        do {
            if scope == .shared {
                _ = try await database().deleteRecord(withID: CKRecord.ID(ObjectZone.shareID(of: zone)))
            } else {
                _ = try await database().deleteRecordZone(withID: CKRecordZone.ID(zone))
            }
        } catch let error as CKError where error.code == .zoneNotFound || error.code == .unknownItem {
            // The share has already ended on the server.
        }
        try await mirror()
        try await replica.write { writer in
            let known = try writer.reader.zones().first { $0.id == zone }
            if known?.closure != nil { try writer.discardEdits(in: zone) }
        }
        try await importChanges()
    }

    // MARK: Permissions

    /// Whether the person may change an object.
    ///
    /// - Throws: `MirroredStoreError`.
    public func canUpdateRecord(forManagedObjectWith id: MirroredObject.ID) async throws -> Bool {
        let scope = scope
        return try await read { reader in
            let replica = ReplicaReader(database: reader.graph.database)
            if scope == .public { return try replica.mayWritePublic(id.name) }
            guard scope == .shared, let zone = try reader.graph.place(of: id.name) else { return true }
            return try replica.mayWrite(to: zone)
        }
    }

    /// Whether the person may delete an object.
    ///
    /// - Throws: `MirroredStoreError`.
    public func canDeleteRecord(forManagedObjectWith id: MirroredObject.ID) async throws -> Bool {
        try await canUpdateRecord(forManagedObjectWith: id)
    }

    /// Whether the person may change at least some objects of the store. In a store of shared objects, this
    /// needs a share that permits writing.
    ///
    /// - Throws: `MirroredStoreError`.
    public func canModifyManagedObjects() async throws -> Bool {
        if scope != .shared { return true }
        return try await replica.read { reader in
            try reader.zones().contains { try $0.closure == nil && reader.mayWrite(to: $0.id) }
        }
    }
}

extension ObjectWriter {
    /// Moves objects into the zone of a share. Returns all objects that moved.
    fileprivate func shareAll(
        _ objects: [MirroredObject.ID], in zone: ZoneID
    ) throws -> Set<MirroredObject.ID> {
        var group: Set<MirroredObject.ID> = []
        for object in objects { group.formUnion(try graph.group(of: object)) }
        for id in objects.sorted() { assigned[id] = zone }
        return group
    }
}
