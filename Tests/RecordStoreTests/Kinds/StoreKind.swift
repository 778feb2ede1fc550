import DataRows
import Foundation
import RecordStore
import RecordStorePostgres
import RecordStoreSQLite
import Records
import RecordsWire
import SQLiteSupport

@testable import TestKit

/// The implementations of `RecordStore` that the contract suite runs against: PostgreSQL if
/// `Tests/postgresql` runs it, otherwise the others.
enum StoreKind: String, CaseIterable, Sendable {
    case memory
    case sqlite
    case postgres

    static let allCases: [StoreKind] = PostgresForTests.address == nil ? [.memory, .sqlite] : [.postgres]

    /// The stores whose content stays when they are closed.
    static let lasting = allCases.filter { $0 != .memory }

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
        case .postgres:
            try PostgresKind.database(
                of: folder, identity: identity, notificationLimits: notificationLimits)
        }
    }
}

extension StoreKind {
    /// Opens the store that a random life compares with the memory store. Some use a log and separate
    /// readers, as on a server.
    static func openEngine(in folder: URL, seed: UInt64) throws -> any InspectedStore {
        if lasting == [.postgres] { return try PostgresKind.database(of: folder, identity: 7) }
        return try SQLiteStore(
            file: folder.appendingPathComponent("same.sqlite"), durability: seed % 5 == 0 ? .process : .none,
            newIdentity: 7, codec: FieldJSON())
    }

    /// The content of the store in a folder that `openEngine` has opened, and that is closed now.
    static func content(in folder: URL, types: [TypeSchema]) throws -> any RowDatabase {
        if lasting == [.postgres] {
            return PostgresRecordRows(
                in: try PostgresKind.engine.get(), number: PostgresKind.number(of: folder), types: types,
                codec: FieldJSON())
        }
        return try SQLiteRecordRows(
            folder.appendingPathComponent("same.sqlite"), types: types, codec: FieldJSON())
    }
}

extension SQLiteStore: InspectedStore {
    func scansType(_ plan: QueryPlan) async throws -> Bool {
        try await explain(plan).contains { $0.hasPrefix("SCAN t") }
    }
}
