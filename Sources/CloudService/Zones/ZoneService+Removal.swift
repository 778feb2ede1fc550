import RecordStore
package import Records

extension ZoneService {
    /// Removes zones of a person's private database because the person wants the app's data gone, or has
    /// reset encrypted data; the reason is told to devices that follow the database.
    ///
    /// - Parameter names: The zones; nil: all. The default zone is emptied and stays.
    /// - Returns: The zones that were removed, by name.
    ///
    /// Throws `authenticationRequired` for nobody, and `zoneNotFound` for a zone that is not there, before
    /// anything is removed.
    package func remove(
        _ names: [String]?, because reason: ZoneDeletionReason, by caller: Caller
    ) async throws -> [String] {
        try await databases.using(.private, for: caller) { database in
            let present = try await database.records.zones().map(\.id.name)
            if let missing = names?.first(where: { !present.contains($0) }) {
                throw await absence(of: missing, in: database)
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

    /// The error for a zone that is not there: what became of it.
    func absence(of name: String, in database: OpenDatabase) async -> RecordError {
        do {
            // A read of nothing: the store knows why the zone is gone, and says so to whoever looks in it.
            _ = try await database.records.records(named: [], in: name)
            return .zoneNotFound(name)
        } catch {
            return context.itemError(error)
        }
    }
}
