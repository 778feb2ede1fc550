public import Foundation
import GRDB
import LocalReplica
import ObjectModel
import Records

/// A piece of the mirroring that has ended, as in `NSPersistentCloudKitContainer.Event`.
public struct MirroringEvent: Hashable, Sendable, Identifiable {
    /// The kind of event.
    public enum Kind: String, Hashable, Sendable {
        /// The first pass after the store was opened: account, zone and subscriptions.
        case setup
        /// Records were stored as objects.
        case `import`
        /// Changes of objects were sent.
        case export
    }

    /// The event's identifier.
    public let id: String
    /// The kind of event.
    public let kind: Kind
    /// When it began, by this device's clock.
    public let startDate: Date
    /// When it ended.
    public let endDate: Date
    /// Why it failed; nil if it succeeded.
    public let error: String?

    /// Whether the event had no error.
    public var succeeded: Bool { error == nil }

    /// The number of events that are kept.
    static let most = 1_000

    init?(_ row: Row) {
        guard let kind = Kind(rawValue: row["kind"]) else { return nil }
        id = row["identifier"]
        self.kind = kind
        startDate = Date(timeIntervalSince1970: Double(row["began"] as Int64) / 1000)
        endDate = Date(timeIntervalSince1970: Double(row["ended"] as Int64) / 1000)
        error = row["error"]
    }
}

/// A record that breaks the rules of the model. It stays on this device, and is imported when it changes or
/// when the model does; meanwhile its object is as it was.
public struct ImportFailure: Hashable, Sendable {
    /// The record's name.
    public let name: String
    /// The record type.
    public let type: String
    /// The entity, attribute and object that the failure concerns.
    public let culprit: String
    /// The rule that the record breaks.
    public let reason: String
    /// The time of the import by this device's clock.
    public let date: Date

    init(_ row: Row) {
        name = row["name"]
        type = row["type"]
        culprit = row["culprit"]
        reason = row["reason"]
        date = Date(timeIntervalSince1970: Double(row["time"] as Int64) / 1000)
    }
}

extension MirroredStore {
    /// The events after another one, oldest first; nil: all that are kept.
    ///
    /// - Throws: `MirroredStoreError`.
    public func events(after event: MirroringEvent? = nil) async throws -> [MirroringEvent] {
        try await read { reader in
            try Row.fetchAll(
                reader.graph.database,
                sql: """
                    SELECT *
                    FROM mirrored_event
                    WHERE id > COALESCE((SELECT id FROM mirrored_event WHERE identifier = ?), 0)
                    ORDER BY id
                    """,
                arguments: [event?.id]
            ).compactMap(MirroringEvent.init)
        }
    }

    /// The records that break the rules of the model, sorted by name.
    ///
    /// - Throws: `MirroredStoreError`.
    public func importFailures() async throws -> [ImportFailure] {
        try await read { reader in
            try Row.fetchAll(reader.graph.database, sql: "SELECT * FROM mirrored_refusal ORDER BY name")
                .map(ImportFailure.init)
        }
    }

    func note(_ kind: MirroringEvent.Kind, since began: Date, error: String?) async throws {
        let (identifier, ended) = (settings.newName(), settings.now())
        try await replica.write { writer in
            try writer.database.execute(
                sql: """
                    INSERT INTO mirrored_event (identifier, kind, began, ended, error)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    identifier, kind.rawValue, Timestamp(began).milliseconds, Timestamp(ended).milliseconds,
                    error,
                ])
            try writer.database.execute(
                sql: "DELETE FROM mirrored_event WHERE id <= (SELECT MAX(id) FROM mirrored_event) - ?",
                arguments: [MirroringEvent.most])
        }
    }
}
