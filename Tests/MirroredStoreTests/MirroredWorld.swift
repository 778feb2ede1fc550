import CloudSync
import Cloudlet
import CloudletTesting
import Foundation
import MirroredStore
import Records
import RecordsWire
import Synchronization

@testable import TestKit

/// A model of posts with attachments, tags and a cover: relationships of all kinds.
enum Posts {
    static func layout(_ attributes: [StoreLayout.Attribute] = []) throws -> StoreLayout {
        try StoreLayout([
            .init(
                "Post",
                attributes: [
                    .init("title", .string, isOptional: false, defaultValue: "untitled"),
                    .init("content", .string), .init("stars", .integer64), .init("date", .date),
                ] + attributes,
                relationships: [
                    .init("tags", to: "Tag", inverse: "posts", isToMany: true),
                    .init(
                        "attachments", to: "Attachment", inverse: "post", isToMany: true, deleteRule: .cascade
                    ),
                    .init("cover", to: "Cover", inverse: "post"),
                ]),
            .init("Draft", parent: "Post", attributes: [.init("reason", .string)]),
            .init(
                "Tag", attributes: [.init("name", .string)],
                relationships: [.init("posts", to: "Post", inverse: "tags", isToMany: true)]),
            .init(
                "Attachment", attributes: [.init("data", .binaryData)],
                relationships: [.init("post", to: "Post", inverse: "attachments")]),
            .init("Cover", relationships: [.init("post", to: "Post", inverse: "cover")]),
        ])
    }
}

/// A device with a mirrored store. Its connection can be interrupted.
final class MirroredDevice: Sendable {
    static let container = "iCloud.org.example.posts"
    let name: String
    let link: CutLink
    /// The person's credentials as a query string.
    let credentials: String
    let cloud: CKContainer
    let clock: WorldClock
    private let scope: CKDatabase.Scope
    private let layout: StoreLayout
    private let state: Mutex<(store: MirroredStore, folder: URL)>
    /// A copy of the folder, made when the simulated process ended.
    private let rest = Mutex<Result<URL, any Error>?>(nil)
    private let count = Mutex(0)

    var store: MirroredStore { state.withLock { $0.store } }
    var folder: URL { state.withLock { $0.folder } }

    init(
        _ name: String, of person: String, in world: CloudletWorld, folder: URL,
        scope: CKDatabase.Scope = .private, layout: StoreLayout? = nil,
        encryptionKey: CloudEncryptionKey? = nil
    ) async throws {
        self.name = name
        self.scope = scope
        self.layout = try layout ?? Posts.layout()
        let folder = folder.appendingPathComponent("\(person)-\(name)")
        var connection = try await world.connection(of: person, on: "\(person)-\(name)")
        link = CutLink(connection.transport)
        connection.transport = link
        credentials =
            RequestParameters(apiToken: connection.apiToken, webAuthToken: connection.webAuthToken).text
        if let encryptionKey { connection.encryptionKey = encryptionKey }
        connection.account = CloudAccount(webAuthToken: connection.webAuthToken)
        cloud = CKContainer(identifier: Self.container, connection: connection)
        let clock = WorldClock(WorldClock.beginning)
        self.clock = clock
        state = Mutex((try Self.open(folder, name, 0, cloud, scope, clock, link, self.layout), folder))
        link.atDeath { [weak self] in self?.keepRest() }
    }

    private static func open(
        _ folder: URL, _ name: String, _ start: Int, _ cloud: CKContainer, _ scope: CKDatabase.Scope,
        _ clock: WorldClock, _ link: CutLink, _ layout: StoreLayout
    ) throws -> MirroredStore {
        let numbers = Numbers(number: start * 100_000)
        var settings = MirroredStore.Settings(
            now: {
                link.tick()
                return clock.now
            }, newName: { "\(name)-\(numbers.next())" },
            pause: { clock.advance(bySeconds: $0 / .seconds(1)) })
        settings.subscribes = false
        settings.longValue = 1_000
        settings.recordBytes = 2_000
        settings.batchSize = 20
        return try MirroredStore(
            folder: folder, layout: layout, container: cloud, scope: scope, settings: settings)
    }

    /// Sends JSON to the private database over plain HTTP, like another client, and returns the answer.
    func post(_ action: String, _ body: JSON) async throws -> JSON {
        let path = "/database/1/\(Self.container)/development/private/\(action)?\(credentials)"
        let bytes = [UInt8](try JSONEncoder().encode(body))
        let answer = try await link.send(
            CloudRequest(.post, path, headers: ["Content-Type": "application/json"], body: .bytes(bytes)))
        return try JSON(answer.bytes)
    }

    /// Opens the folder again without closing the store, as after the process was killed between two calls.
    func kill(layout: StoreLayout? = nil) throws {
        try open(folder, layout: layout)
    }

    private func open(_ folder: URL, layout: StoreLayout? = nil) throws {
        let start = count.withLock { count in
            count += 1
            return count
        }
        let next = try Self.open(folder, name, start, cloud, scope, clock, link, layout ?? self.layout)
        state.withLock { $0 = (next, folder) }
    }

    /// Copies the folder when the simulated process ends: `restart` opens the copy, without later changes.
    private func keepRest() {
        let old = folder
        let number = count.withLock { $0 }
        let new = old.deletingLastPathComponent().appendingPathComponent("\(old.lastPathComponent)+\(number)")
        let copy = Result<URL, any Error> {
            try FileManager.default.copyItem(at: old, to: new)
            // The index of the write-ahead log belongs to the running process; SQLite creates a new one.
            for file in try FileManager.default.contentsOfDirectory(atPath: new.path)
            where file.hasSuffix("-shm") {
                try FileManager.default.removeItem(at: new.appendingPathComponent(file))
            }
            return new
        }
        rest.withLock { $0 = copy }
    }

    /// Opens the store as it was when the process ended.
    func restart() throws {
        let copy = rest.withLock { rest in
            defer { rest = nil }
            return rest
        }
        guard let copy else { return }
        link.revive()
        try open(try copy.get())
    }

    func insert(
        _ entity: String, _ change: @escaping @Sendable (inout MirroredObject) throws -> Void = { _ in }
    )
        async throws -> MirroredObject.ID
    {
        try await store.write { objects in
            var object = try objects.make(entity)
            try change(&object)
            try objects.save(object)
            return object.id
        }
    }

    /// All objects with their values and relationships, one per line.
    func graph() async throws -> [String] {
        try await store.read { reader in
            var lines: [String] = []
            for entity in ["Post", "Tag", "Attachment", "Cover"] {
                for object in try reader.objects(entity) {
                    let values = object.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                    let targets = object.targets.sorted { $0.key < $1.key }.map { "\($0.key)->\($0.value)" }
                    var line = ([object.entity, object.id.name] + values + targets).joined(separator: " ")
                    if entity == "Post" {
                        line += " tags \(try reader.related(object.id, "tags").map(\.id.name))"
                    }
                    lines.append(line)
                }
            }
            return lines
        }
    }
}

/// Numbers the names of new objects.
final class Numbers: Sendable {
    private let number: Mutex<Int>
    init(number: Int) { self.number = Mutex(number) }
    func next() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }
}

/// The records on the server in `zone`; nil: in all zones that contain objects.
func serverRecords(_ database: CKDatabase, in zone: CKRecordZone.ID? = nil) async throws -> [CKRecord] {
    let all = try await database.allRecordZones().map(\.zoneID)
    let zones = all.filter { zone == nil || $0 == zone }
    var records: [CKRecord.ID: CKRecord] = [:]
    for zone in zones where zone.zoneName.hasPrefix("com.apple.coredata.cloudkit.") {
        var token: CKServerChangeToken?
        var isWhole = false
        while !isWhole {
            let page = try await database.recordZoneChanges(inZoneWith: zone, since: token)
            for (id, result) in page.modificationResultsByID { records[id] = try result.get().record }
            for deletion in page.deletions { records[deletion.recordID] = nil }
            (token, isWhole) = (page.changeToken, !page.moreComing)
        }
    }
    return records.values.sorted {
        ($0.recordID.zoneID.zoneName, $0.recordID.recordName)
            < ($1.recordID.zoneID.zoneName, $1.recordID.recordName)
    }
}

/// The zone of the objects that are not shared.
let homeZone = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone")
