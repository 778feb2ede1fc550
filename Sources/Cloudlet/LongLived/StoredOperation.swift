import Foundation

/// The stored state of a running long-lived operation.
struct StoredOperation: Sendable {
    let store: OperationStore
    let id: String
    let recorder: AnswerRecorder
    let now: @Sendable () -> Date

    /// Marks the operation as finished. It is kept for a day, or until its completion block has returned.
    func finish() {
        store.finish(id, at: now())
    }

    /// Deletes the stored operation and its answers.
    func end() {
        store.remove(id)
    }
}

extension CKDatabaseOperation {
    /// Stores the operation and returns its stored state. Returns nil if its class does not support this, if
    /// the connection has no `operationFolder`, or if the operation cannot be stored.
    func beginStoring() -> StoredOperation? {
        let configuration = effectiveConfiguration
        let target = database ?? (configuration.container ?? CKContainer.default()).privateCloudDatabase
        let connection = target.core.connection
        guard let folder = connection.operationFolder, let plain = ArchivedOperation(self) else { return nil }
        let store = OperationStore(folder: folder)
        let entry = OperationStore.Entry(
            id: operationID, container: target.core.identifier,
            environment: connection.environment.rawValue, scope: target.databaseScope.rawValue,
            operation: plain, configuration: ArchivedOperationConfiguration(configuration))
        do { try store.keep(entry) } catch { return nil }
        let recorder = AnswerRecorder(store: store, id: operationID)
        return StoredOperation(store: store, id: operationID, recorder: recorder, now: connection.now)
    }
}

extension CKContainer {
    /// Fetches the IDs of the long-lived operations whose completion block has not run yet, including those
    /// of earlier processes.
    ///
    /// Operations are stored in the connection's `operationFolder`.
    @preconcurrency
    public func fetchAllLongLivedOperationIDs(
        completionHandler: @escaping @Sendable ([CKOperation.ID]?, (any Error)?) -> Void
    ) {
        perform({ _ in self.longLivedEntries.map(\.id) }) { completionHandler($0.value, $0.error) }
    }

    /// The IDs of the long-lived operations whose completion block has not run yet, including those of
    /// earlier processes. They are stored in the connection's `operationFolder`.
    public func allLongLivedOperationIDs() async throws -> [CKOperation.ID] {
        try await perform { _ in self.longLivedEntries.map(\.id) }
    }

    /// Restores a long-lived operation; nil if there is none with this ID. Set its blocks and add it again:
    /// it reports all results from the beginning, and sends only the requests that have no answer yet.
    @preconcurrency
    public func fetchLongLivedOperation(
        withID operationID: CKOperation.ID,
        completionHandler: @escaping @Sendable (CKOperation?, (any Error)?) -> Void
    ) {
        perform({ _ in self.restored(operationID) }) { completionHandler($0.value ?? nil, $0.error) }
    }

    /// Restores a long-lived operation; nil if there is none with this ID. Set its blocks and add it again:
    /// it reports all results from the beginning, and sends only the requests that have no answer yet.
    public func longLivedOperation(for operationID: CKOperation.ID) async throws -> CKOperation? {
        try await perform { _ in self.restored(operationID) }
    }

    private var longLivedEntries: [OperationStore.Entry] {
        let connection = core.connection
        guard let folder = connection.operationFolder else { return [] }
        return OperationStore(folder: folder).entries(
            container: core.identifier, environment: connection.environment.rawValue, now: connection.now())
    }

    private func restored(_ id: CKOperation.ID) -> CKOperation? {
        guard let entry = longLivedEntries.first(where: { $0.id == id }) else { return nil }
        let operation = entry.operation.operation
        operation.take(id: id)
        operation.use(entry.configuration?.configuration, nil)
        operation.isLongLived = true
        operation.database = CKDatabase.Scope(rawValue: entry.scope).map { database(with: $0) }
        return operation
    }
}
