public import Foundation
import GRDB
public import Records

/// A zone as this device knows it.
public struct ReplicaZone: Hashable, Sendable {
    /// Why a zone is not used any more.
    public enum Closure: String, Hashable, Sendable {
        /// The person removed the app's data in it.
        case purged
        /// It was deleted on another device.
        case deleted

        init?(_ row: Row) {
            guard row["is_purged"] || row["is_gone"] else { return nil }
            self = row["is_purged"] ? .purged : .deleted
        }
    }

    /// Its name.
    public let name: String
    /// Whether the server is known to have it.
    public let isMade: Bool
    /// Whether the server may know more than this device.
    public let isStale: Bool
    /// Why nothing is sent there until the app says so; nil: it is in use.
    public let closure: Closure?
    /// Whether records go there and come from there.
    public var isInUse: Bool { isMade && closure == nil }
    /// Whether the server tells this device of changes in it.
    public let isSubscribed: Bool
    /// Whether anything of it was fetched.
    public let hasToken: Bool

    init(_ row: Row) {
        name = row["name"]
        isMade = row["is_made"]
        isStale = row["is_stale"]
        closure = Closure(row)
        isSubscribed = row["is_subscribed"]
        hasToken = row["token"] != nil
    }
}

/// An edit that the server has not been told, or not yet acknowledged.
public struct PendingChange: Hashable, Sendable {
    /// What the server is to be told.
    public enum Kind: String, Hashable, Sendable {
        /// A record that it has never seen.
        case create
        /// New values.
        case update
        /// That the record is gone.
        case delete
    }

    /// The record.
    public let id: RecordID
    /// The kind of record.
    public let type: String
    /// What the server is to be told.
    public let kind: Kind
    /// How often it was edited since it was last in step.
    public let edits: Int
    /// Why the server does not want it; nil while it may be sent. Editing the record lets it be sent again.
    public let refusal: String?
    /// Why the record's zone takes nothing before `ReplicaWriter.resume(_:)`; nil while it does.
    public let closure: ReplicaZone.Closure?

    init(_ row: Row) {
        id = RecordID(name: row["name"], zone: row["zone"])
        type = row["type"]
        kind = row["is_deleted"] ? .delete : row["is_new"] ? .create : .update
        edits = row["change"]
        refusal = row["refusal"]
        closure = ReplicaZone.Closure(row) ?? (row["is_aside"] ? .deleted : nil)
    }
}

/// A conflict that was resolved, for those who want to know what became of it.
public struct ResolvedConflict: Hashable, Sendable {
    /// When it was resolved, by the clock of this device.
    public let date: Date
    /// The record.
    public let id: RecordID
    /// The kind of record.
    public let type: String
    /// What met what, for example "edited here, changed there".
    public let what: String
    /// What became of each field that both had changed, in words; empty when none was.
    public let fields: String

    init(_ row: Row) {
        date = Date(timeIntervalSince1970: Double(row["time"] as Int64) / 1000)
        id = RecordID(name: row["name"], zone: row["zone"])
        type = row["type"]
        what = row["what"]
        fields = row["fields"]
    }
}
