import CloudSync
import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation
import LocalReplica
import Records
import Synchronization
import Testing

@testable import TestKit

/// One server for all tests of this target. Each test uses people of its own.
enum SyncWorld {
    static let container = "iCloud.org.example.notes"
    private static let shared = Shared()

    /// Starts the world once, for the lifetime of the process.
    private actor Shared {
        private var starting: Task<CloudletWorld, any Error>?

        func world() async throws -> CloudletWorld {
            if let starting { return try await starting.value }
            var limits = Limits()
            // A page of a shared zone has one row, so that pages are empty for rows that the person may not
            // see.
            limits.sharedRowsPerPage = 1
            let task = Task { [limits] in try await CloudletWorld.start(limits: limits) }
            starting = task
            return try await task.value
        }
    }

    static func world() async throws -> CloudletWorld { try await shared.world() }

    /// Two devices of one person. Each test uses a different name.
    static func pair(
        _ person: String, change: (inout SyncConfiguration) -> Void = { _ in }
    ) async throws -> (Device, Device) {
        (
            try await device(of: person, "phone", change: change),
            try await device(of: person, "tablet", change: change)
        )
    }

    /// Creates a device of a person.
    static func device(
        of person: String, _ name: String, in world: CloudletWorld? = nil, clock: WorldClock? = nil,
        scope: SyncScope = .private,
        change: (inout SyncConfiguration) -> Void = { _ in }
    ) async throws -> Device {
        let world = if let world { world } else { try await Self.world() }
        let clock = clock ?? WorldClock(WorldClock.beginning)
        let link = Link()
        let current = CurrentWorld(world)
        var connection = try await world.connection(of: person, on: "\(person)-\(name)")
        link.base = connection.transport
        connection.transport = link
        connection.now = { clock.now }
        // A separate account, so that sign-ins of other tests in this process have no effect.
        connection.account = CloudAccount(webAuthToken: connection.webAuthToken)
        let files = URL.unused()
        let replica = try LocalReplica(inMemoryWithFiles: files)
        var configuration = SyncConfiguration(
            zones: ["Notes"], now: { clock.now },
            pause: { clock.advance(bySeconds: $0 / .seconds(1)) })
        configuration.subscribes = false
        change(&configuration)
        let cloud = CKContainer(identifier: container, connection: connection)
        let sync = CloudSync(
            container: cloud, replica: replica, scope: scope, configuration: configuration)
        return Device(
            name: "\(person)-\(name)", person: person, current: current, clock: clock, link: link,
            container: cloud,
            replica: replica, sync: sync, files: files, keeper: FileKeeper(files))
    }
}

/// The transport of a device to the server. Tests can cut it and observe its requests.
final class Link: CloudTransport {
    private struct State {
        var base: (any CloudTransport)?
        var isCut = false
        var count = 0
        var hook: (@Sendable (String) async throws -> Void)?
        var revise: (@Sendable (String, CloudResponse) -> CloudResponse)?
    }

    private let state = Mutex(State())

    var base: (any CloudTransport)? {
        get { state.withLock { $0.base } }
        set { state.withLock { $0.base = newValue } }
    }

    /// Whether the device is offline.
    var isCut: Bool {
        get { state.withLock { $0.isCut } }
        set { state.withLock { $0.isCut = newValue } }
    }

    /// The number of requests, including those that failed because the link was cut.
    var count: Int { state.withLock { $0.count } }

    /// Called with the target of each request before it is sent.
    var hook: (@Sendable (String) async throws -> Void)? {
        get { state.withLock { $0.hook } }
        set { state.withLock { $0.hook = newValue } }
    }

    /// Replaces a response, given the request's target.
    var revise: (@Sendable (String, CloudResponse) -> CloudResponse)? {
        get { state.withLock { $0.revise } }
        set { state.withLock { $0.revise = newValue } }
    }

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        let (isCut, base, hook, revise) = state.withLock { state in
            state.count += 1
            return (state.isCut, state.base, state.hook, state.revise)
        }
        try await hook?(request.target)
        guard !isCut, let base else { throw CloudTransportError.unreachable("the device is off line") }
        let response = try await base.send(request)
        return revise?(request.target, response) ?? response
    }
}

/// The world that a device uses. After a restore it is another one.
final class CurrentWorld: Sendable {
    private let state: Mutex<CloudletWorld>

    init(_ world: CloudletWorld) { state = Mutex(world) }

    var world: CloudletWorld {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// Deletes the files of a device when its last copy is released.
private final class FileKeeper: Sendable {
    private let folder: URL

    init(_ folder: URL) { self.folder = folder }

    deinit { folder.remove() }
}

/// A device with its local replica and its sync.
struct Device: Sendable {
    let name: String
    let person: String
    let current: CurrentWorld
    let clock: WorldClock
    let link: Link
    let container: CKContainer
    let replica: LocalReplica
    let sync: CloudSync
    let files: URL
    fileprivate let keeper: FileKeeper

    var database: CKDatabase { container.privateCloudDatabase }

    var world: CloudletWorld { current.world }

    /// Switches to another server and signs the same person in.
    func move(to world: CloudletWorld) async throws {
        let connection = try await world.connection(of: person, on: name)
        current.world = world
        link.base = connection.transport
        container.connection.account?.signIn(webAuthToken: try #require(connection.webAuthToken))
    }

    func write(_ text: String, to name: String, zone: String = "Notes") async throws {
        try await replica.write { writer in
            let id = RecordID(name: name, zone: zone)
            var note = try writer.reader.record(id) ?? ReplicaRecord(type: "Note", id: id)
            note[field: "text"] = .string(text)
            try writer.save(note)
        }
    }

    /// Saves a bill with photos of these contents, and returns the assets.
    @discardableResult
    func saveBill(_ name: String, photos: [String]) async throws -> [Asset] {
        let assets = try photos.map { photo in
            let file = files.appendingPathExtension("new")
            try Data(photo.utf8).write(to: file)
            defer { file.remove() }
            return try replica.keepFile(at: file)
        }
        try await replica.write { writer in
            var bill = ReplicaRecord(type: "Bill", id: RecordID(name: name, zone: "Notes"))
            bill[field: "photos"] = .list(.asset, assets.map { .asset($0) })
            try writer.save(bill)
        }
        return assets
    }

    func delete(_ name: String) async throws {
        try await replica.write { try $0.delete(RecordID(name: name, zone: "Notes")) }
    }

    /// The text of a note on this device; nil if the note does not exist.
    func text(_ name: String, zone: String = "Notes") async throws -> String? {
        let record = try await replica.read { try $0.record(RecordID(name: name, zone: zone)) }
        guard case .string(let text)? = record?[field: "text"] else { return nil }
        return text
    }

    /// The zones of the person's private database on the server.
    func zonesOnServer() async throws -> [String] {
        try await database.allRecordZones().map(\.zoneID.zoneName).filter { !$0.hasPrefix("_") }.sorted()
    }

    func pending() async throws -> [String] {
        try await replica.read { try $0.pendingChanges() }.map {
            "\($0.kind) \($0.id.name)" + ($0.refusal == nil ? "" : " refused")
        }
    }

    func conflicts() async throws -> [String] {
        try await replica.read { try $0.conflicts() }.map { "\($0.id.name): \($0.summary)" }
    }

    /// Injects a fault for requests of this device.
    func fault(
        _ name: FaultKind, on endpoint: String? = nil, count: Int? = 1, first: Int = 1,
        seconds: Int? = nil
    ) {
        world.server.faults.add(
            Fault(
                name, endpoint: endpoint, device: self.name, first: first, count: count, seconds: seconds))
    }
}
