import Crypto
package import Foundation
import GRDB
package import Records

extension ReplicaWriter {
    /// Marks these records as being sent, and returns the token of their batch. Records that were sent
    /// earlier without an answer keep their state and their token.
    @discardableResult
    package func markSent(_ rows: [ReplicaRow]) throws -> Data? {
        guard let first = rows.first else { return nil }
        if let token = first.sentToken { return token }
        let token = try makeToken(for: rows, in: first.id.zone)
        let statement = try database.cachedStatement(
            sql: """
                UPDATE outbox
                SET sent = change,
                    sent_token = ?,
                    sent_fields = (
                        SELECT fields
                        FROM record
                        WHERE record.zone = outbox.zone AND record.name = outbox.name
                    )
                WHERE zone = ? AND name = ? AND sent IS NULL
                """)
        for row in rows {
            try statement.execute(arguments: [token, try zone(row.id.zone), row.id.name])
        }
        return token
    }

    /// The token of a batch: a hash of its edits and of the versions that they are based on. Batches have the
    /// same token only if they make the same edits to the same state.
    private func makeToken(for rows: [ReplicaRow], in zone: ZoneID) throws -> Data {
        var hash = SHA256()
        func add(_ data: Data?) {
            withUnsafeBytes(of: Int64(data?.count ?? -1).littleEndian) { hash.update(bufferPointer: $0) }
            if let data { hash.update(data: data) }
        }
        add(try reader.token(of: zone))
        for row in rows {
            add(Data(row.id.name.utf8))
            add(row.tag.map { Data($0.utf8) })
            add(row.fields.map(FieldCoding.bytes))
            add(Data("\(row.change)".utf8))
        }
        return Data(hash.finalize().prefix(16))
    }

    /// Stores that the server has applied the batch, at least in part.
    package func setLastAppliedToken(_ token: Data, in zone: ZoneID) throws {
        try database.cachedStatement(
            sql: "UPDATE zone SET taken_token = ?1 WHERE id = ?2 AND taken_token IS NOT ?1"
        ).execute(arguments: [token, try self.zone(zone)])
    }

    /// Stores the token of the last batch of this device that the server has applied. An empty token means
    /// that there is none.
    ///
    /// - Parameter isWhole: Whether all changes of that batch have been fetched. Edits of it that are still
    ///   pending were then not applied.
    package func storeLastBatch(_ token: Data, in zone: ZoneID, isWhole: Bool) throws {
        if let unanswered = try reader.unansweredBatch(in: zone) {
            if unanswered.token == token {
                if isWhole {
                    try database.execute(
                        sql: """
                            UPDATE outbox
                            SET sent = NULL, sent_fields = NULL, sent_token = NULL
                            WHERE zone = ? AND sent_token = ?
                            """,
                        arguments: [try self.zone(zone), token])
                }
            } else if try reader.lastAppliedToken(in: zone) ?? Data() != token {
                // Another device with the same name has sent a batch, or the server has lost its record of
                // the last one: it is unknown whether the batch was applied.
                try database.execute(
                    sql: "UPDATE outbox SET sent_token = NULL WHERE zone = ?",
                    arguments: [try self.zone(zone)])
            }
        }
        try setLastAppliedToken(token, in: zone)
    }
}
