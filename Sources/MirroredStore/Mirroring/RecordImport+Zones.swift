import CloudSync
import Cloudlet
import LocalReplica
import ObjectModel
import Records

// An object has one record. While it moves into a share, it has a record in each of two zones, and a device
// that was offline may still write to the old one. Only one of them is current.
extension RecordImport {
    /// Decides whether a queued record is current, or another one with the same name in another zone. Fields
    /// that were changed in the other record are copied to the current one.
    ///
    /// A record in a share takes precedence over one outside of shares; among the records in several shares,
    /// the one in the zone with the least name is current.
    ///
    /// - Throws: `MirroredStoreError` with the code `invalidValue` if the record was created by somebody who
    ///   may not replace the object.
    func isCurrent(_ entry: Entry) throws -> Bool {
        let graph = objects.graph
        let place = try graph.place(of: entry.name)
        let zone = entry.zoneID == ObjectZone.home(of: scope) ? nil : entry.zoneID
        if place == zone { return true }
        // The old record is deleted.
        guard let record = entry.record else { return false }
        guard entry.type.hasPrefix("CD_") || entry.type == RecordTranslation.pairType else { return true }
        guard let known = try graph.type(of: entry.name) else {
            try graph.setPlace(entry.name, zone)
            return true
        }
        let other = RecordID(name: entry.name, zone: place ?? ObjectZone.home)
        guard zone?.owner == place?.owner, try isByOwner(record.id) else {
            throw nameTakenError(entry.type, entry.name, in: entry.zoneID)
        }
        if try !isByOwner(other) {
            // A participant took the name before the owner's record came to this device.
            if known != entry.type { try remove(known, entry.name) }
            try graph.setPlace(entry.name, zone)
            try refuse(entry, nameTakenError(entry.type, entry.name, in: other.zone))
            return true
        }
        guard known == entry.type else { throw nameTakenError(entry.type, entry.name, in: entry.zoneID) }
        let isFirst = place.map { old in zone.map { $0.name < old.name } ?? false } ?? true
        try copyLateChanges(from: isFirst ? other : record.id, to: isFirst ? record.id : other)
        if isFirst { try graph.setPlace(entry.name, zone) }
        return isFirst
    }

    private func nameTakenError(_ type: String, _ name: String, in zone: ZoneID) -> MirroredStoreError {
        MirroredStoreError(
            .invalidValue, "\(type) \(name)",
            "another object has this name, and the record in \(zone.name) is by somebody else",
            nextStep: "give the record another name")
    }

    /// Removes an object or pair that one of another type with the same name replaces. Its record stays.
    /// Relationships to this name stay too, because those in its share cannot lead out of the share.
    private func remove(_ type: String, _ name: String) throws {
        if type == RecordTranslation.pairType { return try objects.replacePair(name, by: nil) }
        try objects.graph.remove(MirroredObject.ID(root: String(type.dropFirst(3)), name: name))
    }

    /// Whether a record is by the owner of its zone. Only the owner writes outside of shares.
    private func isByOwner(_ id: RecordID) throws -> Bool {
        if id.zone == ObjectZone.home(of: scope) { return true }
        return try isMadeByOwner(id)
    }

    /// Whether the owner of a zone created a record in it. Participants can give a record any name, also that
    /// of an object outside of their share.
    private func isMadeByOwner(_ id: RecordID) throws -> Bool {
        // A record that the server has not stored was made on this device: by the owner in the private
        // database, by a participant in the shared one.
        guard let creator = try writer.reader.creator(of: id) else { return scope == .private }
        if let owner = id.zone.owner { return creator == owner }
        return try creator == RecordTranslation.currentUser || creator == writer.reader.account()
    }

    private func copyLateChanges(from old: RecordID, to new: RecordID) throws {
        guard scope == .private, let left = try writer.reader.record(old) else { return }
        try objects.graph.leave(old)
        guard var record = try writer.reader.record(new), let receipt = MoveReceipt(in: record) else {
            return
        }
        for (name, field) in try receipt.changes(in: left, translation.secret) { record.fields[name] = field }
        // The change queues the record for import.
        try writer.save(record)
    }
}
