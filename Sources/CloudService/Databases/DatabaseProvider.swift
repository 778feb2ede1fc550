package import AssetStore
package import RecordStore
package import Records
import Synchronization

/// A database with its files.
package struct OpenDatabase: Sendable {
    package var key: DatabaseKey
    package var records: any RecordStore
    package var assets: AssetStore
    let housekeeping = Housekeeping()
    let delivery: DeliveryMark

    package init(key: DatabaseKey, records: any RecordStore, assets: AssetStore) {
        self.key = key
        self.records = records
        self.assets = assets
        delivery = DeliveryMark(records.lastNotification)
    }
}

/// Opens databases, each once, and closes those that nobody uses; the wiring decides with which store.
package protocol DatabaseProvider: Sendable {
    /// The database, made if it is new; it stays open until it is given back.
    ///
    /// Throws `tryAgainLater` when the server is stopping.
    func lease(_ key: DatabaseKey) async throws -> OpenDatabase

    /// An empty database in place of one that does not exist, and is not made by looking; nil when it does.
    func empty(_ key: DatabaseKey) -> OpenDatabase?

    /// The databases that there are of a selection, the public ones first.
    func existing(_ selection: DatabaseSelection) throws -> [DatabaseKey]

    /// Ends one lease.
    func giveBack(_ key: DatabaseKey) async

    /// Waits until nobody uses these databases, then deletes them with their files. None of them is given out
    /// from the beginning of this until `allow`, or until this fails: `lease` throws `tryAgainLater`.
    func remove(_ selection: DatabaseSelection) async throws

    /// Whether the database is being removed, or was and may not be given out again yet. Work that takes long
    /// asks for this, and ends: the removal waits for it.
    func isRemoved(_ key: DatabaseKey) -> Bool

    /// Lets databases be given out again that were removed; they are new then.
    func allow(_ selection: DatabaseSelection)

    /// Whether the database was ever used.
    func exists(_ key: DatabaseKey) -> Bool

    /// What databases take up in one environment.
    func usage(of container: String, in environment: CloudEnvironment) async throws -> DatabaseUsage
}

/// When a database was last tidied up.
final class Housekeeping: Sendable {
    private let last = Mutex<Timestamp?>(nil)

    /// Whether the database was just opened, or that much time has passed since this was true; says so to one
    /// caller only.
    func isDue(at now: Timestamp, everySeconds period: Int64) -> Bool {
        last.withLock { last in
            // A clock that was set back would otherwise put it off until it has caught up.
            if let last, now >= last, now < last.advanced(bySeconds: period) { return false }
            last = now
            return true
        }
    }
}
