/// Keeps an app's records in sync with the private or the shared database. The engine decides when and in
/// which order to send and fetch; the app stores the records and resolves conflicts.
///
/// ```swift
/// var configuration = CKSyncEngine.Configuration(
///     database: container.privateCloudDatabase, stateSerialization: savedState, delegate: store)
/// let engine = CKSyncEngine(configuration)
/// engine.state.add(pendingRecordZoneChanges: [.saveRecord(noteID)])
/// ```
///
/// - A fetch delivers `willFetchChanges`, `fetchedDatabaseChanges`, for each changed zone
///   `willFetchRecordZoneChanges`, `fetchedRecordZoneChanges` and `didFetchRecordZoneChanges`, and then
///   `didFetchChanges`.
/// - A send delivers `willSendChanges`, `sentDatabaseChanges` after each batch of zones,
///   `sentRecordZoneChanges` after each batch that the delegate returned, and then `didSendChanges`.
/// - After `networkFailure`, `networkUnavailable`, `zoneBusy`, `serviceUnavailable`, `notAuthenticated`,
///   `accountTemporarilyUnavailable` and `requestRateLimited` a change stays pending, and the engine tries
///   again. After any other error the change is no longer pending: the app resolves the conflict, creates the
///   zone, or gives up, and adds the change again if it is to be sent.
/// - Fetching and sending wait for their own errors only, as long as the server asks for, and at least 1, 2,
///   4 … 60 seconds. A cycle that `cancelOperations()` has ended is repeated after such a pause.
/// - When another person signs in, the engine discards its state and delivers `accountChange`.
/// - With `automaticallySync`, the engine creates a database subscription and listens for pushes. When the
///   app releases the engine, it stops after the current callback.
///
/// `CloudSync` is an alternative: it also stores the records and merges conflicts. It retries after every
/// error after which the engine retries, with pauses of up to five minutes. Other errors are part of the
/// interface of the engine and are left to the app, whereas `CloudSync` resolves most of them by itself.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5>.
public final class CKSyncEngine: Sendable {
    private let core: SyncEngineCore
    private let work: Task<Void, Never>

    /// The database that the engine syncs with.
    public let database: CKDatabase

    /// The pending changes, and the zones that remain to be fetched.
    public var state: CKSyncEngine.State { core.state }

    /// Creates an engine, which starts to work if it is automatic.
    public init(_ configuration: CKSyncEngine.Configuration) {
        database = configuration.database
        let core = SyncEngineCore(configuration)
        self.core = core
        // The engine owns the task, and cancels it when it is released.
        work = Task { await core.run() }
        core.parties.withLock { $0 = SyncEngineCore.Parties(engine: self, delegate: configuration.delegate) }
        state.signal.send()
    }

    deinit {
        work.cancel()
    }

    /// Fetches the changes of the server, and returns when the delegate has handled all events.
    ///
    /// - Throws: `CKError` if the fetch as a whole failed: `notAuthenticated` if nobody is signed in,
    ///   `operationCancelled`, `networkUnavailable` and others. The error of a single zone is in its
    ///   `didFetchRecordZoneChanges` event. `invalidArguments` for the public database, and if a callback of
    ///   the delegate calls this method.
    public func fetchChanges(_ options: CKSyncEngine.FetchChangesOptions = .init()) async throws {
        try await core.fetch(FetchChangesContext(reason: .manual, options: options))
    }

    /// Sends the pending changes, and returns when the delegate has handled all events.
    ///
    /// - Throws: `CKError` if the send as a whole failed: `notAuthenticated` if nobody is signed in,
    ///   `operationCancelled`, `networkUnavailable`, `limitExceeded` and `invalidArguments` for batches of
    ///   the delegate that have too many records or records outside of the scope, and others. The errors of
    ///   single zones and records are in the events. `invalidArguments` for the public database, and if a
    ///   callback of the delegate calls this method.
    public func sendChanges(_ options: CKSyncEngine.SendChangesOptions = .init()) async throws {
        try await core.send(SendChangesContext(reason: .manual, options: options))
    }

    /// Cancels the fetches and sends that are running or waiting. They end with `operationCancelled`,
    /// possibly after this method has returned. A request that the server has received may still succeed.
    public func cancelOperations() async {
        await core.cancel()
    }
}

extension CKSyncEngine: CustomStringConvertible {
    /// The database, for logs.
    public var description: String { "<CKSyncEngine: \(database)>" }
}

extension CKSyncEngine {
    /// The settings of an engine.
    public struct Configuration: Sendable {
        /// The database to sync with: a private or a shared one.
        public var database: CKDatabase

        /// The state that the last engine delivered; nil to begin without one.
        public var stateSerialization: CKSyncEngine.State.Serialization?

        /// Handles events and provides batches. The engine has only a weak reference to it.
        public var delegate: any CKSyncEngineDelegate

        /// Whether the engine fetches and sends automatically; true by default. Otherwise it does so only
        /// when the app calls `fetchChanges(_:)` or `sendChanges(_:)`.
        public var automaticallySync = true

        /// The ID of the subscription that announces changes. With nil, the engine uses any subscription to
        /// the database that exists, or creates one.
        public var subscriptionID: CKSubscription.ID?

        /// Creates settings of an automatic engine.
        public init(
            database: CKDatabase, stateSerialization: CKSyncEngine.State.Serialization?,
            delegate: any CKSyncEngineDelegate
        ) {
            self.database = database
            self.stateSerialization = stateSerialization
            self.delegate = delegate
        }
    }
}

extension CKSyncEngine.Configuration: CustomStringConvertible {
    /// The database and the mode, for logs.
    public var description: String {
        "\(database), \(automaticallySync ? "automatic" : "manual"), "
            + (stateSerialization.map { "\($0)" } ?? "without a state")
    }
}
