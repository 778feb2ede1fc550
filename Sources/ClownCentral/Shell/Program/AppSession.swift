import CloudSync
import Cloudlet
import CloudletShell
import CommandShell
import Foundation
import LocalReplica

/// What the app's own commands know between two of them, beside the session with the server.
actor AppSession {
    /// The list that `photo next` goes on with.
    struct PhotoList: Sendable {
        let party: Party
        let limit: Int
        let cursor: CKQueryOperation.Cursor?
        let shown: Int
    }

    /// Something that was deleted, and the way back.
    struct Undo: Sendable {
        let what: String
        /// How many of the records somebody else had made.
        var others = 0
        /// Answers how many records are back.
        let restore: @Sendable () async throws -> Int
    }

    /// Who asks, and where.
    nonisolated let cloud: CloudSession
    /// Where seed sets and their photos lie, or why they cannot be found.
    nonisolated let seedFolder: Result<URL, SeedError>
    nonisolated let thumbnailer: Thumbnailer?
    /// Draws pictures in the terminal; nil when nothing is installed that does.
    nonisolated let viewer: PictureViewer?
    /// Keeps those syncs going that go on by themselves.
    nonisolated let keeper = SyncKeeper()
    /// The last photo list of each stay: another person, device or place has none yet.
    private var photoLists: [Int: PhotoList] = [:]
    /// What each device saw last of the records that it fetched whole.
    private var copies = HeldCopies()
    /// The personal data that was opened, by place, person and device.
    private var personal: [String: PersonalData] = [:]
    /// What was deleted last, by place and person.
    private var undos: [String: Undo] = [:]

    init(
        _ cloud: CloudSession, seedFolder: Result<URL, SeedError>, thumbnailer: Thumbnailer?,
        viewer: PictureViewer? = nil
    ) {
        self.cloud = cloud
        self.seedFolder = seedFolder
        self.thumbnailer = thumbnailer
        self.viewer = viewer
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

    /// The list that the next page belongs to; nil when there is none.
    var photoList: PhotoList? {
        get async { photoLists[await cloud.whereabouts.stay] }
    }

    func keep(_ list: PhotoList?) async { photoLists[await cloud.whereabouts.stay] = list }

    /// Forgets the list of a party that is gone.
    func forgetPhotos(of party: Party.ID) async {
        if await photoList?.party.id == party { await keep(nil as PhotoList?) }
    }

    // MARK: Copies

    /// Fetches a record whole and keeps it as what this device saw last.
    func fetchAndKeep(_ recordName: String, from database: CKDatabase) async throws -> CKRecord {
        let record = try await database.record(for: CKRecord.ID(recordName: recordName))
        await keep(record)
        return record
    }

    /// What this device saw last of a record, however old; fetched if it never saw it.
    func heldCopy(_ recordName: String, from database: CKDatabase) async throws -> CKRecord {
        let now = await cloud.whereabouts
        if let held = copies.copy(recordName, of: now) { return held }
        _ = try await fetchAndKeep(recordName, from: database)
        return copies.copy(recordName, of: now) ?? CKRecord(recordType: "")
    }

    /// Keeps a record as what this device saw last.
    func keep(_ record: CKRecord) async { copies.keep(record, of: await cloud.whereabouts) }

    // MARK: Personal data

    /// The data of the person who is signed in, on the present device.
    func personalData() async throws -> PersonalData {
        let now = await cloud.whereabouts
        guard let person = now.person else {
            throw Complaint(
                code: "notAuthenticated", message: "notes and receipts are personal; nobody is signed in",
                remedy: "as NAME", exit: .notSignedIn)
        }
        let container = await cloud.container
        let (key, folder) = personalPlace(of: person, now)
        if let open = personal[key] { return open }
        let data = try PersonalData(
            folder: folder, container: container, now: { [clock = cloud.clock] in clock.now },
            pause: { [clock = cloud.clock] in try await clock.wait($0) })
        personal[key] = data
        return data
    }

    /// How many changes of the present person wait on this device; nil when nobody is signed in.
    func pendingCount() async -> Int? {
        let now = await cloud.whereabouts
        guard let person = now.person else { return nil }
        let (key, folder) = personalPlace(of: person, now)
        // Looking makes nothing.
        let isThere = personal[key] != nil || FileManager.default.fileExists(atPath: folder.path)
        guard isThere, let data = try? await personalData() else { return 0 }
        return try? await data.replica.read { try $0.pendingChanges().count }
    }

    private func personalPlace(
        of person: String, _ now: CloudSession.Whereabouts
    ) -> (key: String, folder: URL) {
        let folder = cloud.devicesFolder.appendingPathComponent(now.place.key)
            .appendingPathComponent(ServerAccess.escaped(now.key))
        return ("\(now.place.key)/\(now.key)", folder)
    }

    /// Ends all syncs that go on by themselves.
    func endSyncs() async {
        for data in personal.values { await data.stop() }
    }

    // MARK: The way back

    /// What the present person deleted last, here.
    var undo: Undo? {
        get async { undos[await undoKey] }
    }

    func keep(_ undo: Undo?) async { undos[await undoKey] = undo }

    private var undoKey: String {
        get async {
            let now = await cloud.whereabouts
            return "\(now.place.key) \(now.person ?? "")"
        }
    }

    /// Keeps the way back of what was deleted from the public database.
    func keepUndo(of what: String, _ tree: PartyTree) async {
        let container = await cloud.container
        let me = try? await container.userRecordID().recordName
        await keep(
            Undo(what: what, others: tree.countOfOthers(than: me)) {
                try await tree.restore(to: container.publicCloudDatabase)
            })
    }

    /// Asks before something is lost, where there is somebody to ask.
    nonisolated func mayDelete(_ question: String, isSure: Bool) throws -> Bool {
        guard !isSure, let confirm = environment.confirm else { return true }
        return try confirm(question)
    }
}
