import Foundation

/// What a long-lived operation holds on to.
struct LongLife: Sendable {
    let shelf: OperationShelf
    let id: String
    let recorder: AnswerRecorder
    let now: @Sendable () -> Date

    /// Everything was answered: kept for a day, or until the completion block has returned.
    func finish() {
        shelf.finish(id, at: now())
    }

    /// Nobody will ask for it again.
    func end() {
        shelf.remove(id)
    }
}

extension CKDatabaseOperation {
    /// Writes the operation down if it can be; nil otherwise.
    func beginLongLife() -> LongLife? {
        let configuration = effectiveConfiguration
        let target = database ?? (configuration.container ?? CKContainer.default()).privateCloudDatabase
        let connection = target.core.connection
        guard let folder = connection.operationFolder, let plain = PlainOperation(self) else { return nil }
        let shelf = OperationShelf(folder: folder)
        let entry = OperationShelf.Entry(
            id: operationID, container: target.core.identifier,
            environment: connection.environment.rawValue, scope: target.databaseScope.rawValue,
            operation: plain, configuration: PlainConduct(configuration))
        do { try shelf.keep(entry) } catch { return nil }
        let recorder = AnswerRecorder(shelf: shelf, id: operationID)
        return LongLife(shelf: shelf, id: operationID, recorder: recorder, now: connection.now)
    }
}

extension CKContainer {
    /// The IDs of long-lived operations whose end nobody has heard of yet, those of earlier processes
    /// included.
    ///
    /// Operations outlive their process where `CloudConnection.operationFolder` says.
    @preconcurrency
    public func fetchAllLongLivedOperationIDs(
        completionHandler: @escaping @Sendable ([CKOperation.ID]?, (any Error)?) -> Void
    ) {
        perform({ _ in self.longLivedEntries.map(\.id) }) { completionHandler($0.value, $0.error) }
    }

    /// The IDs of long-lived operations whose end nobody has heard of yet, those of earlier processes
    /// included.
    public func allLongLivedOperationIDs() async throws -> [CKOperation.ID] {
        try await perform { _ in self.longLivedEntries.map(\.id) }
    }

    /// A long-lived operation to be set up with blocks and added again: it tells everything from the
    /// beginning, and sends only what was not answered before. Nil when there is none.
    @preconcurrency
    public func fetchLongLivedOperation(
        withID operationID: CKOperation.ID,
        completionHandler: @escaping @Sendable (CKOperation?, (any Error)?) -> Void
    ) {
        perform({ _ in self.restored(operationID) }) { completionHandler($0.value ?? nil, $0.error) }
    }

    /// A long-lived operation to be set up with blocks and added again: it tells everything from the
    /// beginning, and sends only what was not answered before. Nil when there is none.
    public func longLivedOperation(for operationID: CKOperation.ID) async throws -> CKOperation? {
        try await perform { _ in self.restored(operationID) }
    }

    private var longLivedEntries: [OperationShelf.Entry] {
        let connection = core.connection
        guard let folder = connection.operationFolder else { return [] }
        return OperationShelf(folder: folder).entries(
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
