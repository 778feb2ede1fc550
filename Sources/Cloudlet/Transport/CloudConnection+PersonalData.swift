internal import Records
internal import RecordsWire

extension CloudConnection {
    /// Removes zones of the signed-in person's private database, as a person does outside the app, in the
    /// device's settings.
    ///
    /// Change feeds report the reason to the person's devices. Operations in a removed zone fail: with
    /// `userDeletedZone` after a purge, with `zoneNotFound` and `CKErrorUserDidResetEncryptedDataKey` after a
    /// reset. The default zone is emptied but stays.
    ///
    /// - Parameters:
    ///   - zoneIDs: The zones to remove; nil means all.
    ///   - reason: `.purged` or `.encryptedDataReset`. For plain deletion, use the zone operations of the
    ///     database.
    ///   - container: The identifier of the app's container.
    /// - Throws: `CKError`: `notAuthenticated` when nobody is signed in, `zoneNotFound`, `permissionFailure`
    ///   when the server is not an open one for development.
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
