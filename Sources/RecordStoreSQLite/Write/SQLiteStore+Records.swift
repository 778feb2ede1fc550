import GRDB
package import RecordStore
package import Records

extension SQLiteStore {
    package func apply(_ batch: WriteBatch) async throws -> BatchAnswer {
        for _ in 0..<Self.maximumAttempts {
            switch try await attempt(batch) {
            case .success(let answer): return answer
            case .failure(let lag): try await prepare([lag.schema])
            }
        }
        throw RecordError(
            .tryAgainLater, "the schema of these records is changing",
            culprit: batch.operations.first?.recordType,
            nextStep: "try again in a moment", retryAfter: 1
        )
    }

    /// The maximum number of attempts at a batch whose types must be adapted to the schema: one for each
    /// type, and more if other writes change the types meanwhile.
    private static let maximumAttempts = 300

    private func attempt(_ batch: WriteBatch) async throws -> Result<BatchAnswer, CatalogLag> {
        let (codec, subscribers) = (codec, writer.subscriptions)
        return try await write(for: batch.stamp.by, weight: batch.weight) { database, state in
            guard let zone = state.zones[batch.zone] else {
                throw try ZoneTable(database: database).absence(of: batch.zone)
            }
            var batch = batch
            batch.stamp.at = max(batch.stamp.at, state.time)
            state.time = batch.stamp.at
            let before = state.sequence
            let zones = ZoneTable(database: database)
            var token = batch.wantsToken ? try zones.token(of: zone, state.identity) : nil
            var transaction = SQLiteTransaction(
                database: database, zone: zone, zoneName: batch.zone, schema: batch.schema, codec: codec,
                state: state
            )
            let outcome: BatchRules.Outcome
            do {
                outcome = try BatchRules(codec: codec).apply(
                    batch, to: &transaction, telling: subscribers, identity: state.identity,
                    sequence: { $0.state.sequence }
                ) { drafts, transaction in
                    try NotificationWriter(database: database, codec: codec, subscribers: subscribers)
                        .keep(drafts, &transaction.state)
                }
            } catch let lag as CatalogLag {
                return (false, .failure(lag))
            }
            state = transaction.state
            if state.sequence > before {
                try Self.note(transaction.growth, of: zone, state, database)
                try UsageAccount(database: database).add(transaction.personGrowth, to: zone)
            }
            if !outcome.mustUndo {
                if batch.wantsToken { token = try zones.token(of: zone, state.identity) }
                try ClientBatches(database: database, zone: zone)
                    .remember(batch, outcome.results, at: state.sequence)
                let deletions = Deletions(database: database)
                try deletions.forgetSurplus(keeping: batch.limits.deletionsPerDatabase, &state)
                try deletions.forgetSurplusLeavings(keeping: batch.limits.deletionsPerDatabase, &state)
            }
            return (!outcome.mustUndo, .success(BatchAnswer(results: outcome.results, token: token)))
        }
    }

    /// Stores the number of a zone's last change, and adds to its usage.
    private static func note(
        _ growth: StoreUsage, of zone: Int64, _ state: WriterState, _ database: Database
    ) throws {
        var row = try SQL(
            database,
            """
            UPDATE zone
            SET sequence = ?, record_count = record_count + ?, record_bytes = record_bytes + ?,
                asset_bytes = asset_bytes + ?
            WHERE id = ?
            """
        )
        row.bind(state.sequence)
        row.bind(growth.records)
        row.bind(growth.recordBytes)
        row.bind(growth.assetBytes)
        row.bind(zone)
        try row.run()
    }

    package func lookup(
        _ names: [String], in zone: String, atMost bytes: Int, wantsToken: Bool,
        take: (StoredRecord?) throws -> Void
    ) async throws -> ChangeToken? {
        let state = writer.committed
        guard let id = state.zones[zone] else { throw try absence(of: zone) }
        return try read { database in
            var left = bytes
            for name in names {
                let record = try Self.record(named: name, in: zone, id, state, database)
                left -= record?.fields.bytes.count ?? 0
                if left < 0 { throw RecordError.answerTooLarge(limit: bytes) }
                try take(record)
            }
            if !wantsToken { return nil }
            return try ZoneTable(database: database).token(of: id, state.identity)
        }
    }

    package func heads(named names: [String], in zone: String) async throws -> [StoredRecord?] {
        let state = writer.committed
        guard let zoneID = state.zones[zone] else { throw try absence(of: zone) }
        return try read { database in
            try names.map { name in
                try RecordRow.head(
                    of: RecordID(name: name, zone: ZoneID(name: zone)), in: zoneID, database
                ) { try state.typeName(of: $0, database) }?.stored
            }
        }
    }

    private static func record(
        named name: String, in zone: String, _ id: Int64, _ state: WriterState, _ database: Database
    ) throws -> StoredRecord? {
        var row = try SQL(
            database,
            """
            SELECT \(RecordRow.columns)
            FROM record r
            WHERE r.zone = ? AND r.name = ? AND r.fields IS NOT NULL
            """
        )
        row.bind(id)
        row.bind(name)
        defer { row.reset() }
        guard try row.step() else { return nil }
        return RecordRow.record(row, zone: zone, type: try state.typeName(of: RecordRow.type(row), database))
    }
}
