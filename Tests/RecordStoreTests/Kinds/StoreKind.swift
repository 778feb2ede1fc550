import DataRows
import Foundation
import RecordStore
import RecordStoreSQLite
import Records
import RecordsWire
import SQLiteSupport

/// The implementations of `RecordStore` that the contract suite runs against. The package in
/// `Tests/PostgreSQL` runs the same suite with a type of its own.
enum StoreKind: String, CaseIterable, Sendable {
    case memory
    case sqlite

    /// The stores whose content stays when they are closed.
    static let lasting: [StoreKind] = [.sqlite]

    /// Opens the store that belongs to a folder, or creates it.
    func open(
        in folder: URL, identity: Int64 = 7, notificationLimits: NotificationLimits = NotificationLimits()
    ) throws -> any RecordStore {
        switch self {
        case .memory:
            MemoryStore(codec: FieldJSON(), identity: identity, notificationLimits: notificationLimits)
        case .sqlite:
            try SQLiteStore(
                file: folder.appendingPathComponent("test.sqlite"), durability: .process,
                newIdentity: identity, codec: FieldJSON(), notificationLimits: notificationLimits
            )
        }
    }
}

extension StoreKind {
    /// Opens the store that a random life compares with the memory store. Some use a log and separate
    /// readers, as on a server.
    static func openEngine(in folder: URL, seed: UInt64) throws -> any InspectedStore {
        try SQLiteStore(
            file: folder.appendingPathComponent("same.sqlite"), durability: seed % 5 == 0 ? .process : .none,
            newIdentity: 7, codec: FieldJSON())
    }

    /// The content of the store in a folder that `openEngine` has opened, and that is closed now.
    static func content(in folder: URL, types: [TypeSchema]) throws -> any RowDatabase {
        try SQLiteRecordRows(
            folder.appendingPathComponent("same.sqlite"), types: types, codec: FieldJSON())
    }
}

extension SQLiteStore: InspectedStore {
    func scansType(_ plan: QueryPlan) async throws -> Bool {
        try await explain(plan).contains { $0.hasPrefix("SCAN t") }
    }
}
