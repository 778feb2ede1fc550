package import AssetStore
package import CloudService
import Foundation
import NIOPosix
package import RecordStore
import RecordStoreSQLite
package import Records
import RecordsWire
package import SQLiteSupport
import Synchronization

/// Opens databases on first use, and closes the least recently used ones when too many are open.
package final class DatabasePool: DatabaseProvider {
    private typealias Plan = PoolPlan<DatabaseKey, OpenDatabase, CheckedContinuation<Void, Never>>

    let folder: DataFolder
    /// The engine that keeps the records; nil if SQLite files in the folder keep them.
    let engine: (any RecordStoreEngine)?
    package let isNode: Bool
    /// Keeps the files of assets; nil: the folder does.
    let assetEngine: (any AssetEngine)?
    /// Identifies this server among those that use the object store.
    private let node: String
    private let durability: Durability
    private let notificationLimits: NotificationLimits
    let runtime: ServerRuntime
    private let plan: Mutex<Plan>
    /// Removed databases that must not be opened until they are allowed again. Accessed only under the lock
    /// of `plan`.
    private let removed = Mutex<Set<DatabaseSelection>>([])
    /// Asset stores of closed databases that still have uploads or pending collections, which are known in
    /// memory only. They are used again when the database is opened again.
    private let storesOfClosedDatabases = Mutex<[DatabaseKey: AssetStore]>([:])
    /// Whether databases refuse writes. Accessed only under the lock of `plan`.
    private let isInterrupted = Mutex(false)

    package init(
        folder: DataFolder, engine: (any RecordStoreEngine)? = nil, isNode: Bool = false,
        assetEngine: (any AssetEngine)? = nil, node: String = "", durability: Durability,
        runtime: ServerRuntime, limits: Limits
    ) {
        self.folder = folder
        self.engine = engine
        self.isNode = isNode
        self.assetEngine = assetEngine
        self.node = node
        self.durability = durability
        self.runtime = runtime
        notificationLimits = NotificationLimits(limits)
        plan = Mutex(Plan(limit: limits.openDatabases))
    }

    package func lease(_ key: DatabaseKey) async throws -> OpenDatabase {
        while true {
            let taking = try plan.withLock { plan in
                try checkRemovals(key)
                return plan.take(key)
            }
            switch taking {
            case .use(let database): return database
            case .open: return try await open(key)
            case .wait:
                await withCheckedContinuation { waiter in
                    if !plan.withLock({ $0.wait(for: key, waiter) }) { waiter.resume() }
                }
            case .refuse:
                throw RecordError(
                    .tryAgainLater, "the server is stopping", culprit: "server",
                    nextStep: "try again when it has started again", retryAfter: 5
                )
            }
        }
    }

    package func empty(_ key: DatabaseKey) -> OpenDatabase? {
        if plan.withLock({ $0.states[key] != nil }) { return nil }
        if exists(key) { return nil }
        let assets = AssetStore(DiskStorage(folder: assetFolder(of: key).path, isDurable: false)) { "" }
        return OpenDatabase(key: key, records: MemoryStore(codec: FieldJSON()), assets: assets)
    }

    package func giveBack(_ key: DatabaseKey) async {
        for waiter in plan.withLock({ $0.giveBack(key) }) { waiter.resume() }
        await closeSurplus()
    }

    private func open(_ key: DatabaseKey) async throws -> OpenDatabase {
        do {
            let database = try await make(key)
            let waiters = plan.withLock { plan in
                // Under the lock: no caller may use the database before it is interrupted.
                if isInterrupted.withLock({ $0 }) { database.records.interruptWrites() }
                return plan.opened(key, database)
            }
            for waiter in waiters { waiter.resume() }
            await closeSurplus()
            return database
        } catch {
            for waiter in plan.withLock({ $0.failed(key) }) { waiter.resume() }
            throw error
        }
    }

    private func closeSurplus() async {
        while let (key, database) = plan.withLock({ $0.surplus() }) {
            if database.assets.hasUploads || !database.assets.isQuiet {
                storesOfClosedDatabases.withLock { $0[key] = database.assets }
            }
            try? await database.records.close()
            for waiter in plan.withLock({ $0.closed(key) }) { waiter.resume() }
        }
    }

    /// Interrupts all waiting and running writes, and refuses later ones, in the databases that are open and
    /// in those that are opened from now on. A server that stops calls this, so that it need not wait for
    /// writes.
    package func interruptWrites() {
        let open = plan.withLock { plan in
            isInterrupted.withLock { $0 = true }
            return plan.openDatabases
        }
        for database in open { database.records.interruptWrites() }
    }

    /// Waits until no database is in use, then closes all of them. After the call has begun, the pool hands
    /// out no database.
    package func close() async {
        plan.withLock { $0.end() }
        await withCheckedContinuation { waiter in
            if !plan.withLock({ $0.waitForEnd(waiter) }) { waiter.resume() }
        }
        await closeSurplus()
        await engine?.close()
        await assetEngine?.close()
    }
}

// MARK: - Removing

extension DatabasePool {
    package func remove(_ selection: DatabaseSelection) async throws {
        plan.withLock { _ in _ = removed.withLock { $0.insert(selection) } }
        await evict(selection.contains)
        storesOfClosedDatabases.withLock { parked in parked = parked.filter { !selection.contains($0.key) } }
        do {
            try await removeFromAssetEngine(selection)
            try await NIOThreadPool.singleton.runIfActive { try self.deleteFiles(of: selection) }
            try await removeFromEngine(selection)
        } catch {
            // The remaining databases of the selection can be used, and removed again.
            allow(selection)
            throw error
        }
    }

    package func close(_ key: DatabaseKey) async { await evict { $0 == key } }

    /// Closes databases as soon as nobody uses them.
    private func evict(_ isSelected: @escaping @Sendable (DatabaseKey) -> Bool) async {
        while true {
            switch plan.withLock({ $0.evict(isSelected) }) {
            case .close(let key, let database):
                try? await database.records.close()
                for waiter in plan.withLock({ $0.closed(key) }) { waiter.resume() }
            case .wait:
                await withCheckedContinuation { waiter in
                    if !plan.withLock({ $0.waitForIdle(isSelected, waiter) }) { waiter.resume() }
                }
            case .done: return
            }
        }
    }

    package func isRemoved(_ key: DatabaseKey) -> Bool {
        removed.withLock { selections in selections.contains { $0.contains(key) } }
    }

    package func allow(_ selection: DatabaseSelection) {
        plan.withLock { _ in _ = removed.withLock { $0.remove(selection) } }
    }

    private func checkRemovals(_ key: DatabaseKey) throws(RecordError) {
        if removed.withLock({ removed in removed.contains { $0.contains(key) } }) {
            throw RecordError(
                .tryAgainLater, "the database has just been removed", culprit: key.container,
                nextStep: "if it should exist again, try again in a second", retryAfter: 1
            )
        }
    }
}

// MARK: - Files

extension DatabasePool {
    private func make(_ key: DatabaseKey) async throws -> OpenDatabase {
        try checkLinks(key)
        let firstNumber = try prepare(key)
        let identity = runtime.randomBytes(8).bigEndianNumber
        let records = try await records(of: key, Int64(bitPattern: identity), firstNumber)
        if let assets = storesOfClosedDatabases.withLock({ $0.removeValue(forKey: key) }) {
            return OpenDatabase(key: key, records: records, assets: assets)
        }
        let runtime = runtime
        let storage: any AssetStorage =
            assetEngine?.storage(named: assetName(of: key), node: node)
            ?? DiskStorage(folder: assetFolder(of: key).path, isDurable: durability == .full)
        let assets = AssetStore(storage) { runtime.randomHex(bytes: 16) }
        do {
            try await assets.recover { try await records.usesAsset($0) }
        } catch {
            try? await records.close()
            throw error
        }
        return OpenDatabase(key: key, records: records, assets: assets)
    }

    private func records(
        of key: DatabaseKey, _ newIdentity: Int64, _ firstNumber: Int64
    ) async throws -> any RecordStore {
        if let engine {
            return try await engine.store(
                named: key.text, newIdentity: newIdentity, firstNumber: firstNumber, codec: FieldJSON(),
                notificationLimits: notificationLimits, uptime: runtime.uptime)
        }
        do {
            return try await SQLiteStore.open(
                file: file(of: key), durability: durability, newIdentity: newIdentity,
                firstNumber: firstNumber, codec: FieldJSON(), notificationLimits: notificationLimits,
                uptime: runtime.uptime
            )
        } catch let error as RecordError where error.culprit == nil {
            // SQLite's error does not name the file.
            var error = error
            error.culprit = String(file(of: key).path.dropFirst(folder.url.path.count + 1))
            if error.code == .internalError { error.nextStep = "cloudlet doctor --data FOLDER" }
            throw error
        }
    }

    /// Throws `internalError` if a file of the database, or a folder on the path to it, is a link or a
    /// special file. A data folder may come from an untrusted source, and operations on a link would affect a
    /// file outside of it.
    private func checkLinks(_ key: DatabaseKey) throws(RecordError) {
        let database = folder.url.appendingPathComponent(DataFolder.path(of: key)).path
        for ending in [".sqlite", ".sqlite-wal", ".sqlite-shm", ".sqlite-journal", "-assets"] {
            try checkLinks(onTheWayTo: URL(fileURLWithPath: database + ending))
        }
    }

    func checkLinks(onTheWayTo file: URL) throws(RecordError) {
        guard let link = DataFolderCheck.link(onTheWayTo: file, in: folder.url) else { return }
        throw RecordError(
            .internalError,
            "\(link) in the data folder is \(DataFolderCheck.kindName(of: link, in: folder.url))",
            culprit: link, nextStep: DataFolderCheck.linkRemedy)
    }

    /// Creates the folder of a new database, and flushes its name and the names of its parent folders before
    /// any file is created in it.
    ///
    /// - Returns: The number after which a new database starts its sequence. An existing file can be a new
    ///   database too: it is empty if the disk was full or the process ended while the file was created.
    private func prepare(_ key: DatabaseKey) throws -> Int64 {
        let place = file(of: key).deletingLastPathComponent()
        // Another node may have made the database; the files that this one receives need a folder all the
        // same.
        let lacksFolder =
            isNode && assetEngine == nil && !FileManager.default.fileExists(atPath: place.path)
        if lacksFolder || !exists(key) {
            try DurableFiles.makeFolder(place, isFlushed: false)
            if durability == .full { try DurableFiles.flush(place, upTo: folder.url) }
        }
        // Another node may have removed a database of the same name.
        return folder.isLaterEpoch || isNode ? DatabaseEpoch(random: runtime.randomBytes).gap : 0
    }

    func file(of key: DatabaseKey) -> URL {
        folder.url.appendingPathComponent(DataFolder.path(of: key) + ".sqlite")
    }

    func assetFolder(of key: DatabaseKey) -> URL {
        folder.url.appendingPathComponent(DataFolder.path(of: key) + "-assets")
    }
}
