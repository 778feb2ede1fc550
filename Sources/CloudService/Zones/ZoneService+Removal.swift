import RecordStore
package import Records

extension ZoneService {
    /// Removes zones of a person's private database because the person deleted the app's data or reset
    /// encrypted data. Devices that follow the database's changes learn the reason.
    ///
    /// - Parameter names: The zones; nil for all. The default zone is emptied but remains.
    /// - Returns: The names of the removed zones.
    ///
    /// Throws `authenticationRequired` for an anonymous caller, and `zoneNotFound` for a zone that does not
    /// exist, before anything is removed.
    package func remove(
        _ names: [String]?, because reason: ZoneDeletionReason, by caller: Caller
    ) async throws -> [String] {
        try await databases.using(.private, for: caller) { database in
            let present = try await database.records.zones().map(\.id.name)
            if let missing = names?.first(where: { !present.contains($0) }) {
                throw await missingZone(missing, in: database)
            }
            let wanted = names.map { Set($0) } ?? Set(present)
            let removed = present.filter { wanted.contains($0) }
            for name in removed {
                try await database.records.deleteZone(
                    named: name, reason: reason, by: context.stamp(of: caller))
            }
            try await assets.collectReleased(in: database)
            return removed
        }
    }

    /// The error for a zone that does not exist. For a removed zone, it contains the reason of the removal.
    func missingZone(_ name: String, in database: OpenDatabase) async -> RecordError {
        do {
            // Reading no records makes the store throw its error for the zone, which contains the reason.
            _ = try await database.records.records(named: [], in: name)
            return .zoneNotFound(name)
        } catch {
            return context.itemError(error)
        }
    }
}
