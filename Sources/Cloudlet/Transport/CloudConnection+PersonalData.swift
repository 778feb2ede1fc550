internal import Records
internal import RecordsWire

extension CloudConnection {
    /// Removes zones of the signed-in person's private database, as the person does outside of the app.
    ///
    /// Devices that follow the database hear the reason, and whoever uses a zone that is gone is told:
    /// `userDeletedZone` after a purge, `zoneNotFound` with `CKErrorUserDidResetEncryptedDataKey` after a
    /// reset. The default zone is emptied and stays.
    ///
    /// - Parameters:
    ///   - zoneIDs: The zones; nil: all.
    ///   - reason: `purged` or `encryptedDataReset`; a zone is plainly deleted by the app itself.
    ///   - container: The app's container.
    /// - Throws: `CKError`: `notAuthenticated` for nobody, `zoneNotFound`, `permissionFailure` where the
    ///   server is not one for development.
    public func removeZones(
        _ zoneIDs: [CKRecordZone.ID]? = nil, because reason: CKDatabase.DatabaseChange.Deletion.Reason,
        inContainer container: String
    ) async throws {
        let known: RemoveZones.Reason
        do {
            known = try RemoveZones.Reason(spelling: "\(reason)")
        } catch {
            throw CKError(failure: error)
        }
        let call = RemoveZones(
            zoneIDs?.map(\.zoneName), because: known, in: container, CloudEnvironment(environment))
        _ = try await send(call, asPerson: true, changes: true)
    }
}
