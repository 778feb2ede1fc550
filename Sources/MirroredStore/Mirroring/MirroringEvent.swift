public import Foundation
import GRDB
import LocalReplica
import ObjectModel
import Records

/// A step of the mirroring, running or ended, as in `NSPersistentCloudKitContainer.Event`.
public struct MirroringEvent: Hashable, Sendable, Identifiable {
    /// The kind of event.
    public enum Kind: String, Hashable, Sendable {
        /// A pass of a store that has no zone on the server yet: account, zone and subscriptions.
        case setup
        /// Records were stored as objects, or could not be fetched.
        case `import`
        /// Changes of objects were sent.
        case export
    }

    /// The event's identifier.
    public let id: String
    /// The name of the store.
    public let storeIdentifier: String
    /// The kind of event.
    public let kind: Kind
    /// When it began, by this device's clock.
    public let startDate: Date
    /// When it ended; nil if it is running, or if the process ended meanwhile.
    public let endDate: Date?
    /// Why it failed; nil if it succeeded.
    public let error: String?

    /// Whether the event has ended without an error.
    public var succeeded: Bool { endDate != nil && error == nil }

    /// The number of events that are kept.
    static let maximumEvents = 1_000

    init?(_ row: Row, _ store: String) {
        guard let kind = Kind(rawValue: row["kind"]) else { return nil }
        id = row["identifier"]
        storeIdentifier = store
        self.kind = kind
        startDate = Date(timeIntervalSince1970: Double(row["began"] as Int64) / 1000)
        endDate = (row["ended"] as Int64?).map { Date(timeIntervalSince1970: Double($0) / 1000) }
        error = row["error"]
    }
}

/// A record that breaks a rule of the model. The record stays on this device, and is imported again when the
/// record or the model changes. Until then its object does not change.
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
        let store = identifier
        return try await read { try $0.graph.events("id > \(Self.position)", [event?.id], of: store) }
    }

    /// The events that began after a moment, oldest first.
    ///
    /// - Throws: `MirroredStoreError`.
    public func events(after date: Date) async throws -> [MirroringEvent] {
        let store = identifier
        let moment = Timestamp(date).milliseconds
        return try await read { try $0.graph.events("began > ?", [moment], of: store) }
    }

    /// Returns the events after another one now, and again whenever one begins or ends, until the loop ends;
    /// nil: all that are kept.
    public func observeEvents(
        after event: MirroringEvent? = nil
    ) -> AsyncThrowingStream<[MirroringEvent], any Error> {
        let (store, layout, last) = (identifier, layout, event?.id)
        return replica.observe { reader in
            let graph = Graph(database: reader.database, layout: layout)
            return try graph.events("id > \(Self.position)", [last], of: store)
        }
    }

    /// The position of an event in SQL; 0 without one.
    private static let position =
        "COALESCE((SELECT id FROM mirrored_event WHERE identifier = ?), 0)"

    /// The records that break the rules of the model, sorted by name.
    ///
    /// - Throws: `MirroredStoreError`.
    public func importFailures() async throws -> [ImportFailure] {
        try await read { reader in
            try Row.fetchAll(reader.graph.database, sql: "SELECT * FROM mirrored_refusal ORDER BY name")
                .map(ImportFailure.init)
        }
    }

    /// Stores that an event begins, and returns its identifier. A power failure may undo this.
    func begin(_ kind: MirroringEvent.Kind) async throws -> String {
        try await replica.writeUnflushed { [settings] in try $0.begin(kind, settings) }
    }

    /// Stores that an event has ended. A power failure may undo this.
    func end(_ event: String, error: String?) async throws {
        try await replica.writeWithoutCancellation(flushes: false) { [settings] in
            try $0.end(event, error: error, settings)
        }
    }
}

extension ReplicaWriter {
    /// Stores that an event begins, and returns its identifier.
    func begin(_ kind: MirroringEvent.Kind, _ settings: MirroredStore.Settings) throws -> String {
        let (identifier, began) = (settings.newName(), Timestamp(settings.now()).milliseconds)
        try database.cachedStatement(
            sql: "INSERT INTO mirrored_event (identifier, kind, began) VALUES (?, ?, ?)"
        ).execute(arguments: [identifier, kind.rawValue, began])
        try database.cachedStatement(
            sql: "DELETE FROM mirrored_event WHERE id <= (SELECT MAX(id) FROM mirrored_event) - ?"
        ).execute(arguments: [MirroringEvent.maximumEvents])
        return identifier
    }

    /// Stores that an event has ended.
    func end(_ event: String, error: String?, _ settings: MirroredStore.Settings) throws {
        try database.cachedStatement(
            sql: "UPDATE mirrored_event SET ended = ?, error = ? WHERE identifier = ?"
        ).execute(arguments: [Timestamp(settings.now()).milliseconds, error, event])
    }
}

extension Graph {
    fileprivate func events(
        _ condition: String, _ arguments: StatementArguments, of store: String
    ) throws -> [MirroringEvent] {
        try Row.fetchAll(
            database, sql: "SELECT * FROM mirrored_event WHERE \(condition) ORDER BY id", arguments: arguments
        ).compactMap { MirroringEvent($0, store) }
    }
}
