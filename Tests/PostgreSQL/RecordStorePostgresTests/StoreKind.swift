import Foundation
import RecordStore
import RecordStorePostgres
import Records
import RecordsWire

/// The stores that the contract suite runs against in this package.
enum StoreKind: String, CaseIterable, Sendable {
    case postgres

    static let lasting = allCases

    /// Opens the database that belongs to a folder, or creates it.
    func open(
        in folder: URL, identity: Int64 = 7, notificationLimits: NotificationLimits = NotificationLimits()
    ) throws -> any RecordStore {
        try database(of: folder, identity: identity, notificationLimits: notificationLimits)
    }

    func database(
        of folder: URL, identity: Int64, notificationLimits: NotificationLimits = NotificationLimits()
    ) throws -> PostgresStore {
        try PostgresStore(
            in: Self.engine.get(), number: Self.number(of: folder), newIdentity: identity,
            codec: FieldJSON(), notificationLimits: notificationLimits)
    }

    /// One engine for all tests, as for all databases of a server. The script `Tests/postgresql` starts it.
    static let engine = Result {
        let address = ProcessInfo.processInfo.environment["CLOUDLET_POSTGRESQL"] ?? "dbname=cloudlet"
        return try PostgresEngine(address: address, process: 1)
    }

    /// A number for the database of a folder. The names of the folders are random.
    static func number(of folder: URL) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in folder.lastPathComponent.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return Int64(hash >> 1)
    }
}
