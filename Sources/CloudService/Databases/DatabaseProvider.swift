package import AssetStore
package import RecordStore
package import Records
import Synchronization

/// An open database with its record store and its asset store.
package struct OpenDatabase: Sendable {
    package var key: DatabaseKey
    package var records: any RecordStore
    package var assets: AssetStore
    let housekeeping = Housekeeping()
    let delivery: DeliveryCursor

    package init(key: DatabaseKey, records: any RecordStore, assets: AssetStore) {
        self.key = key
        self.records = records
        self.assets = assets
        delivery = DeliveryCursor(records.lastNotification)
    }
}

/// Opens each database once and closes databases that are no longer used. The implementation chooses the
/// stores.
package protocol DatabaseProvider: Sendable {
    /// The bytes of a file that are in memory while it is received.
    var uploadBuffer: Int { get }

    /// Opens the database, creating it if necessary. It stays open until `giveBack`.
    ///
    /// Throws `tryAgainLater` when the server is stopping, or while the database is removed.
    func lease(_ key: DatabaseKey) async throws -> OpenDatabase

    /// An empty database to read from if the database does not exist, so that reading does not create it; nil
    /// if it exists.
    func empty(_ key: DatabaseKey) -> OpenDatabase?

    /// The existing databases of a selection, public ones first.
    func existing(_ selection: DatabaseSelection) throws -> [DatabaseKey]

    /// The private databases of these containers that take most room on the disk with their files, at most
    /// `count`, largest first.
    func largest(_ count: Int, of containers: [String]) async throws -> [DatabaseKey]

    /// Ends one lease.
    func giveBack(_ key: DatabaseKey) async

    /// Frees the room that is kept for deletions, if the disk is full. Call it before anything is written for
    /// a deletion.
    func makeRoomForDeletion()

    /// An address from which anyone can read a file of a database until it expires, without this server; nil
    /// if clients read files from the server.
    func address(of fileChecksum: String, in key: DatabaseKey, seconds: Int) -> String?

    /// Waits until nobody uses these databases, then deletes them with their files. From the call until
    /// `allow`, or until the removal fails, `lease` throws `tryAgainLater` for them.
    func remove(_ selection: DatabaseSelection) async throws

    /// Whether the database is being removed, or was removed and not allowed again. Long-running work checks
    /// this and ends, because the removal waits for it.
    func isRemoved(_ key: DatabaseKey) -> Bool

    /// Allows removed databases to be opened again; they are created anew.
    func allow(_ selection: DatabaseSelection)

    /// Closes a database as soon as nobody uses it, because another node of the server has removed it.
    func close(_ key: DatabaseKey) async

    /// Whether other nodes of the server use the same databases.
    var isNode: Bool { get }

    /// The changes that other nodes make to the databases. Only one task may iterate over them.
    var changes: AsyncStream<EngineChange> { get }

    /// Tells other nodes that this one has written notifications: those after a number, up to the last.
    func tellOfNotifications(after number: Int64, upTo last: Int64, in key: DatabaseKey) async throws

    /// Sends messages to the other nodes, each of less than 7,900 bytes.
    func tellNodes(_ messages: [String]) async throws

    /// Whether the database exists.
    func exists(_ key: DatabaseKey) -> Bool

    /// The disk usage of a container's databases in one environment.
    func usage(of container: String, in environment: CloudEnvironment) async throws -> DatabaseUsage
}

/// The time at which a database was last tidied up.
final class Housekeeping: Sendable {
    private let last = Mutex<Timestamp?>(nil)

    /// Whether `period` seconds have passed since this method last returned true; also true on the first
    /// call. Returns true to one caller only.
    func isDue(at now: Timestamp, everySeconds period: Int64) -> Bool {
        last.withLock { last in
            // A clock that was set back would otherwise delay the work until it has caught up.
            if let last, now >= last, now < last.advanced(bySeconds: period) { return false }
            last = now
            return true
        }
    }
}
