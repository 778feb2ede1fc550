import CloudSync
import Cloudlet
import CloudletShell
import CommandShell
import Foundation
import LocalReplica

/// The state that the app's own commands keep from one command to the next. `CloudSession` keeps the
/// connection, the person and the device.
actor AppSession {
    /// The last photo list, which `photo next` continues.
    struct PhotoList: Sendable {
        let party: Party
        let limit: Int
        /// The start of the next page; nil after the last page.
        let cursor: CKQueryOperation.Cursor?
        /// The number of photos on the pages that were shown.
        let shown: Int
    }

    /// The last deletion, which `undo` reverts.
    struct Undo: Sendable {
        /// What was deleted, for the answer of `undo`.
        let subject: String
        /// The number of records that another person had created.
        var others = 0
        /// Saves the records again and returns their number.
        let restore: @Sendable () async throws -> Int
    }

    /// The connection to the server, the signed-in person and the current device.
    nonisolated let cloud: CloudSession
    /// The folder with seed sets and sample photos, or the reason why it was not found.
    nonisolated let seedFolder: Result<URL, SeedError>
    nonisolated let thumbnailer: Thumbnailer?
    /// Draws pictures in the terminal; nil in a session that draws none.
    nonisolated let viewer: PictureViewer?
    /// Whether the commands that need an account are enabled.
    nonisolated let features: AccountFeatures
    /// Runs the automatic syncs.
    nonisolated let syncRunner = SyncRunner()
    /// The last photo list of each context, by `contextNumber`. A context is a combination of person, device,
    /// container and environment. A list is never shown in another context.
    private var photoLists: [Int: PhotoList] = [:]
    /// The last version of each fully fetched record, by person, device and place.
    private var copies = FetchedRecords()
    /// The open personal data by place (container and environment), person and device.
    private var personal: [String: PersonalData] = [:]
    /// The last deletion by place (container and environment) and person.
    private var undos: [String: Undo] = [:]

    init(
        _ cloud: CloudSession, seedFolder: Result<URL, SeedError>, thumbnailer: Thumbnailer?,
        viewer: PictureViewer? = nil
    ) {
        self.cloud = cloud
        self.seedFolder = seedFolder
        self.thumbnailer = thumbnailer
        self.viewer = viewer
        features = AccountFeatures(cloud)
    }

    nonisolated var environment: ShellEnvironment { cloud.environment }

    nonisolated var publicDatabase: CKDatabase {
        get async { await cloud.container.publicCloudDatabase }
    }

    nonisolated var parties: PartyRepository {
        get async { PartyRepository(database: await publicDatabase) }
    }

    nonisolated var clowns: ClownRepository {
        get async { ClownRepository(database: await publicDatabase) }
    }

    nonisolated var photos: PhotoRepository {
        get async { PhotoRepository(database: await publicDatabase) }
    }

    // MARK: Lists

    /// The photo list of the current context; nil if there is none.
    var photoList: PhotoList? {
        get async { photoLists[await cloud.context.contextNumber] }
    }

    func setPhotoList(_ list: PhotoList?) async { photoLists[await cloud.context.contextNumber] = list }

    /// Drops the photo list if it belongs to a deleted party.
    func forgetPhotos(of party: Party.ID) async {
        if await photoList?.party.id == party { await setPhotoList(nil) }
    }

    // MARK: Copies

    /// Fetches all fields of a record and stores the record as this device's version.
    func fetchAndStore(_ recordName: String, from database: CKDatabase) async throws -> CKRecord {
        let record = try await database.record(for: CKRecord.ID(recordName: recordName))
        await store(record)
        return record
    }

    /// The version of a record that this device saw last, even if it is outdated. Fetches the record if this
    /// device never saw it.
    func storedCopy(_ recordName: String, from database: CKDatabase) async throws -> CKRecord {
        let context = await cloud.context
        if let held = copies.copy(recordName, of: context) { return held }
        let fetched = try await fetchAndStore(recordName, from: database)
        return copies.copy(recordName, of: context) ?? fetched
    }

    /// Stores a record as this device's version.
    func store(_ record: CKRecord) async { copies.store(record, of: await cloud.context) }

    // MARK: Personal data

    /// The personal data of the signed-in person on the current device. Throws `ShellError` if nobody is
    /// signed in.
    func personalData() async throws -> PersonalData {
        let context = await cloud.context
        guard let person = context.person else {
            throw ShellError(
                code: "notAuthenticated",
                message: "nobody is signed in, and notes, receipts and posts belong to a person",
                remedy: "as NAME", exit: .notSignedIn)
        }
        let container = await cloud.container
        let (key, folder) = personalLocation(of: person, context)
        if let open = personal[key] { return open }
        let newDevice = await cloud.makeIdentifier("device")
        if let open = personal[key] { return open }
        let data = try PersonalData(
            folder: folder, newDevice: newDevice, container: container, newName: UUIDSource(newDevice).next,
            now: { [clock = cloud.clock] in clock.now },
            pause: { [clock = cloud.clock] in try await clock.wait($0) },
            getsPush: { [cloud] in cloud.appGets($0, in: context.place.environment, on: context.device) })
        personal[key] = data
        return data
    }

    /// The number of unsent changes of the signed-in person on this device; nil if nobody is signed in.
    func pendingCount() async -> Int? {
        let context = await cloud.context
        guard let person = context.person else { return nil }
        let (key, folder) = personalLocation(of: person, context)
        // `status` must not create the replica's folder.
        let isThere = personal[key] != nil || FileManager.default.fileExists(atPath: folder.path)
        guard isThere, let data = try? await personalData() else { return 0 }
        return try? await data.pendingChanges().count
    }

    /// A note about a change to the personal data that says how the change gets to the person's other
    /// devices.
    func unsent(_ note: String) async throws -> String {
        let data = try await personalData()
        let device = await cloud.context.device
        if let why = await accountProblem(in: await data.sync.status) {
            return "\(note), on \(device) only; the last sync was blocked: \(why)"
        }
        if data.syncsAutomatically { return "\(note); the automatic sync sends it" }
        return "\(note), on \(device) only; to send it to your other devices: sync"
    }

    /// The problem of the account that blocks a sync; nil if there is none. It names the signed-in person
    /// whose session the server does not know any more.
    func accountProblem(in status: SyncStatus) async -> String? {
        guard let problem = status.accountProblem else { return nil }
        guard problem == .nobody, let person = await cloud.context.person else { return status.why }
        return "the server does not know the session of \(person), which has ended; edits are kept"
    }

    /// The key and the folder of a person's data on the current device.
    private func personalLocation(
        of person: String, _ context: CloudSession.Context
    ) -> (key: String, folder: URL) {
        let folder = cloud.devicesFolder.appendingPathComponent(context.place.key)
            .appendingPathComponent(ServerAccess.escaped(context.key))
        return ("\(context.place.key)/\(context.key)", folder)
    }

    /// Stops all automatic syncs.
    func endSyncs() async {
        for data in personal.values { await data.stop() }
    }

    // MARK: Undoing a deletion

    /// The last deletion by the signed-in person in the current container and environment; nil if there is
    /// none.
    var undo: Undo? {
        get async { undos[await undoKey] }
    }

    func setUndo(_ undo: Undo?) async { undos[await undoKey] = undo }

    private var undoKey: String {
        get async {
            let context = await cloud.context
            return "\(context.place.key) \(context.person ?? "")"
        }
    }

    /// Lets `undo` restore deleted records of the public database. `subject` names them in its answer.
    func setUndo(of subject: String, restoring tree: PartyTree) async {
        let container = await cloud.container
        let me = try? await container.userRecordID().recordName
        await setUndo(
            Undo(subject: subject, others: tree.countOfOthers(than: me)) {
                try await tree.restore(to: container.publicCloudDatabase)
            })
    }
}
