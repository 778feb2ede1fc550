import GRDB

// What others learn of the transactions of a replica.
extension LocalReplica {
    /// Returns a stream with the current result of `body`, and a new result after each transaction that
    /// changes it. The observation ends with the iteration; a read after the replica was closed ends it with
    /// an error.
    ///
    /// No transaction waits for these reads. The results of transactions that follow each other quickly may
    /// be missing, except for the last one.
    public func observe<T: Sendable & Equatable>(
        _ body: @escaping @Sendable (ReplicaReader) throws -> T
    ) -> AsyncThrowingStream<T, any Error> {
        observe(skipsEqual: true, body)
    }

    /// Returns a stream with the result of `body` now, and again after transactions that change anything,
    /// also if the result is the same. Use it for work that the reader of the stream does: after it has done
    /// some, the same amount may have arisen.
    package func observeWork<T: Sendable & Equatable>(
        _ body: @escaping @Sendable (ReplicaReader) throws -> T
    ) -> AsyncThrowingStream<T, any Error> {
        observe(skipsEqual: false, body)
    }

    private func observe<T: Sendable & Equatable>(
        skipsEqual: Bool, _ body: @escaping @Sendable (ReplicaReader) throws -> T
    ) -> AsyncThrowingStream<T, any Error> {
        let (observations, culprit) = (observations, culprit)
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let observation = ReplicaObservation(skipsEqual: skipsEqual, body) { result in
                switch result {
                case .success(let value): continuation.yield(value)
                case .failure(let error):
                    continuation.finish(throwing: ReplicaError(storage: error, culprit))
                }
            }
            let number = observations.add { observation.read($0) }
            continuation.onTermination = { _ in
                observations.remove(number)
                observation.end()
            }
        }
    }

    /// Lets all observations read again. Call it after files have arrived, which changes no table.
    package func updateObservations() { observations.update() }

    /// Calls `act` after each transaction that has added an edit to the outbox or made one sendable, and
    /// once if there is such an edit already. So the transaction itself wakes a running sync. Returns when
    /// the task is cancelled.
    ///
    /// - Parameter act: Called on the thread of the transaction, which waits for it.
    /// - Throws: `ReplicaError`.
    package func observeEdits(_ act: @escaping @Sendable () -> Void) async throws {
        let observer = EditObserver(act)
        do {
            try await database.writeWithoutTransaction { database in
                database.add(transactionObserver: observer)
                let sql = "SELECT EXISTS (SELECT 1 FROM outbox WHERE refusal IS NULL)"
                if try Bool.fetchOne(database, sql: sql) == true { act() }
            }
        } catch let error as DatabaseError {
            throw ReplicaError(storage: error, culprit)
        }
        // The stream has no elements, and ends when the task is cancelled.
        let cancellation = AsyncStream<Void> { _ in }
        for await _ in cancellation {}
        // The database does not keep the observer.
        withExtendedLifetime(observer) {}
    }
}
