public import Foundation
import GRDB
public import Records

/// The local state of a zone.
public struct ReplicaZone: Hashable, Sendable {
    /// The reason why sync neither sends to a zone nor fetches from it.
    public enum Closure: String, Hashable, Sendable {
        /// The person removed the app's data in the zone.
        case purged
        /// The zone was deleted on another device, or is no longer shared with the person.
        case deleted

        init?(_ row: Row) {
            guard row["is_purged"] || row["is_gone"] else { return nil }
            self = row["is_purged"] ? .purged : .deleted
        }
    }

    /// The zone's name and owner; the owner is nil for the person's own zones.
    public let id: ZoneID
    /// The zone's name.
    public var name: String { id.name }
    /// Whether the zone is known to exist on the server.
    public let isMade: Bool
    /// Whether the server may have changes that this device has not fetched.
    public let isStale: Bool
    /// The reason why the zone is closed until the app resumes it; nil if it is not closed.
    public let closure: Closure?
    /// Whether the zone is known to exist on the server and is not closed.
    public var isInUse: Bool { isMade && closure == nil }
    /// Whether the server notifies this device of changes in the zone.
    public let isSubscribed: Bool
    /// Whether changes of the zone have been fetched.
    public let hasToken: Bool

    init(_ row: Row) {
        id = ZoneID(name: row["name"], storedOwner: row["owner"])
        isMade = row["is_made"]
        isStale = row["is_stale"]
        closure = Closure(row)
        isSubscribed = row["is_subscribed"]
        hasToken = row["token"] != nil
    }
}

/// An edit that the server has not acknowledged.
public struct PendingChange: Hashable, Sendable {
    /// The kind of edit.
    public enum Kind: String, Hashable, Sendable {
        /// The server does not have the record yet.
        case create
        /// The record has new values.
        case update
        /// The record was deleted.
        case delete
    }

    /// The record's name and zone.
    public let id: RecordID
    /// The record type.
    public let type: String
    /// The kind of edit.
    public let kind: Kind
    /// The number of edits since the record last had no pending edit, including those that the server has
    /// acknowledged while a later one was pending.
    public let edits: Int
    /// The reason why the server refused the edit; nil if it was not refused. Another edit of the record
    /// makes it sendable again.
    public let refusal: String?
    /// The reason why the edit waits for `ReplicaWriter.resume(_:)`: its zone is closed, or the edit was set
    /// aside when the zone was deleted; nil if it does not wait.
    public let closure: ReplicaZone.Closure?

    init(_ row: Row) {
        id = RecordID(name: row["name"], zone: ZoneID(name: row["zone"], storedOwner: row["owner"]))
        type = row["type"]
        kind = row["is_deleted"] ? .delete : row["is_new"] ? .create : .update
        edits = row["change"]
        refusal = row["refusal"]
        closure = ReplicaZone.Closure(row) ?? (row["is_aside"] ? .deleted : nil)
    }
}

/// A conflict that was resolved on this device.
public struct ResolvedConflict: Hashable, Sendable {
    /// The time of the resolution by this device's clock.
    public let date: Date
    /// The record's name and zone.
    public let id: RecordID
    /// The record type.
    public let type: String
    /// The two conflicting changes, for example "edited here and on the server".
    public let summary: String
    /// The result for each field that both sides had changed, as text; empty if there was none.
    public let fields: String

    init(_ row: Row) {
        date = Date(timeIntervalSince1970: Double(row["time"] as Int64) / 1000)
        id = RecordID(name: row["name"], zone: ZoneID(name: row["zone"], storedOwner: row["owner"]))
        type = row["type"]
        summary = row["what"]
        fields = row["fields"]
    }
}
