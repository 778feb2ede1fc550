import Foundation
import RecordStore
import RecordStorePostgres
import RecordsWire

@testable import TestKit

/// The databases of tests in the engine that `Tests/postgresql` starts.
enum PostgresKind {
    /// One engine for all tests, as for all databases of a server.
    static let engine = Result { try PostgresEngine(address: PostgresForTests.requiredAddress(), process: 1) }

    /// Opens the database that belongs to a folder, or creates it.
    static func database(
        of folder: URL, identity: Int64, notificationLimits: NotificationLimits = NotificationLimits()
    ) throws -> PostgresStore {
        try PostgresStore(
            in: engine.get(), number: number(of: folder), newIdentity: identity,
            codec: FieldJSON(), notificationLimits: notificationLimits)
    }

    /// A number for the database of a folder. The names of the folders are random.
    static func number(of folder: URL) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in folder.lastPathComponent.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return Int64(hash >> 1)
    }
}
