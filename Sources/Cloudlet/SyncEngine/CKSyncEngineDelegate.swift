/// The delegate of a `CKSyncEngine`: it stores the fetched changes and provides the records to send.
///
/// The engine calls one method at a time, and waits until it returns. In these methods, changes can be added
/// to the engine's state. A call of `fetchChanges(_:)` or `sendChanges(_:)` would never return, so it fails
/// with `CKError.invalidArguments`.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/cksyncenginedelegate>.
public protocol CKSyncEngineDelegate: AnyObject, Sendable {
    /// Handles an event. The next one waits until this method returns.
    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async

    /// Returns the next batch of records to save and delete; nil if there is nothing more to send.
    ///
    /// ```swift
    /// let changes = syncEngine.state.pendingRecordZoneChanges.filter(context.options.scope.contains)
    /// return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { id in
    ///     await store.record(for: id)
    /// }
    /// ```
    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch?

    /// Returns the scope and the priorities of the next requests of a fetch. The engine asks before each
    /// request. Without an implementation, they are those that the fetch was started with.
    func nextFetchChangesOptions(
        _ context: CKSyncEngine.FetchChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.FetchChangesOptions
}

extension CKSyncEngineDelegate {
    /// Returns the options that the fetch was started with.
    public func nextFetchChangesOptions(
        _ context: CKSyncEngine.FetchChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.FetchChangesOptions {
        context.options
    }
}
