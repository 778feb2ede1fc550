import CloudSync
import Cloudlet
import CloudletTesting
import Foundation
import LocalReplica
import Records
import Synchronization

@testable import ClownCentral
@testable import TestKit

/// Two people with two devices each, who edit one note of the first of them.
///
/// They type phrases of three words, one word at a time, at places between whole phrases, and delete whole
/// phrases. So every phrase that nobody deleted must be in the text at the end, in one piece.
struct NoteLife {
    private struct Device {
        let replica: LocalReplica
        let sync: CloudSync
        let note: RecordID
        let site: String
        let link: Link
        /// The number of the phrase that is being typed, and the number of its words that are still to be
        /// typed.
        var phrase: (number: Int, left: Int)?
    }

    /// The transport of a device, which can be disconnected.
    private final class Link: CloudTransport {
        private let base: any CloudTransport
        private let state = Mutex(false)

        init(to base: any CloudTransport) { self.base = base }

        var isCut: Bool {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }

        func send(_ request: CloudRequest) async throws -> CloudResponse {
            if isCut { throw CloudTransportError.unreachable("the device is offline") }
            return try await base.send(request)
        }
    }

    private var numbers: SeededNumbers
    private var devices: [Device] = []
    private var typed: Set<Int> = [0]
    private var deleted: Set<Int> = []
    private(set) var faults: [String] = []

    init(seed: UInt64, in world: CloudletWorld) async throws {
        numbers = SeededNumbers(seed: seed)
        let (owner, guest) = ("alice\(seed)", "bob\(seed)")
        let container = try await world.container(ClownCentralApp.container, as: owner, on: "host")
        let zone = ZoneID(name: PersonalRepository.Zone.notes)
        let name = try await container.userRecordID().recordName
        for (number, person) in [owner, owner, guest, guest].enumerated() {
            devices.append(
                try await Self.device(
                    "device-\(number)", of: person, in: world,
                    zone: person == owner ? zone : ZoneID(name: zone.name, owner: name)))
        }
        try await change(0) { _ in Self.words(0).joined() }
        try await devices[0].sync.waitUntilIdle()
        let database = container.privateCloudDatabase
        let root = try await database.record(for: CKRecord.ID(devices[0].note))
        let other = try await world.container(ClownCentralApp.container, as: guest, on: "host")
        try await world.share(root, of: container, with: [other])
        for device in devices { try await device.sync.waitUntilIdle() }
    }

    private static func device(
        _ site: String, of person: String, in world: CloudletWorld, zone: ZoneID
    ) async throws -> Device {
        var connection = try await world.connection(of: person, on: site)
        let link = Link(to: connection.transport)
        connection.transport = link
        // A separate account, so that the sign-ins of others in this process have no effect.
        connection.account = CloudAccount(webAuthToken: connection.webAuthToken)
        let clock = WorldClock(WorldClock.beginning)
        var configuration = SyncConfiguration(
            zones: [PersonalRepository.Zone.notes], now: { clock.now },
            pause: { clock.advance(bySeconds: $0 / .seconds(1)) })
        configuration.subscribes = false
        configuration.policy = PersonalData.policy
        let replica = try LocalReplica(inMemoryWithFiles: URL.unused())
        let sync = CloudSync(
            container: CKContainer(identifier: ClownCentralApp.container, connection: connection),
            replica: replica, scope: zone.owner == nil ? .private : .shared, configuration: configuration)
        return Device(
            replica: replica, sync: sync, note: RecordID(name: "note", zone: zone), site: site, link: link)
    }

    /// Lets the devices type, brings all of them online, and checks the text.
    mutating func run(turns: Int) async throws {
        for _ in 0..<turns {
            let device = numbers.below(devices.count)
            switch numbers.below(10) {
            case 0..<6: try await typeWord(on: device)
            case 6: try await deletePhrase(on: device)
            case 7: devices[device].link.isCut.toggle()
            default: _ = try await devices[device].sync.sync()
            }
        }
        for device in devices.indices {
            while devices[device].phrase != nil { try await typeWord(on: device) }
            devices[device].link.isCut = false
        }
        for _ in 0..<3 {
            for device in devices { try await device.sync.waitUntilIdle() }
        }
        try await check()
    }

    // MARK: Editing

    private static func words(_ phrase: Int) -> [String] { ["a", "b", "c"].map { "w\(phrase)\($0) " } }

    private func text(_ device: Int) async throws -> String {
        let (id, site) = (devices[device].note, devices[device].site)
        return try await devices[device].replica.read { reader in
            guard let record = try reader.record(id) else { return "" }
            let edits = try NoteText.edits(of: id, in: reader)
            return try NoteText(of: record, edits: edits, in: reader, on: site).string
        }
    }

    private func change(_ device: Int, _ edit: (String) -> String) async throws {
        let (id, site) = (devices[device].note, devices[device].site)
        let note = Note(id: id.name, text: edit(try await text(device)))
        try await devices[device].replica.write { try NoteText.save(note, as: id, on: site, by: $0) }
    }

    private mutating func typeWord(on device: Int) async throws {
        let words = try await text(device).split(separator: " ").map { "\($0) " }
        let (phrase, place): ((number: Int, left: Int), Int)
        if let begun = devices[device].phrase {
            let last = Self.words(begun.number)[2 - begun.left]
            guard let index = words.firstIndex(of: last) else {
                return faults.append("\(last)is gone while its phrase is typed")
            }
            (phrase, place) = (begun, index + 1)
        } else {
            let places = (0...words.count).filter { place in
                (place == 0 || words[place - 1].hasSuffix("c "))
                    && (place == words.count || words[place].hasSuffix("a "))
            }
            guard !places.isEmpty else { return }
            (phrase, place) = ((typed.count, 3), numbers.pick(places))
            typed.insert(phrase.number)
        }
        var changed = words
        changed.insert(Self.words(phrase.number)[3 - phrase.left], at: place)
        try await change(device) { _ in changed.joined() }
        devices[device].phrase = phrase.left > 1 ? (phrase.number, phrase.left - 1) : nil
    }

    /// Deletes a phrase that was typed to its end.
    private mutating func deletePhrase(on device: Int) async throws {
        let text = try await text(device)
        let whole = typed.sorted().filter { text.contains(Self.words($0).joined()) }
        guard !whole.isEmpty else { return }
        let phrase = numbers.pick(whole)
        deleted.insert(phrase)
        try await change(device) { $0.replacing(Self.words(phrase).joined(), with: "") }
    }

    // MARK: Checking

    private mutating func check() async throws {
        let final = try await text(0)
        for index in devices.indices {
            let other = try await text(index)
            if other != final { faults.append("device \(index) has \(other), device 0 \(final)") }
            let pending = try await devices[index].replica.read { try $0.pendingChanges() }
            if !pending.isEmpty { faults.append("device \(index) has to send \(pending)") }
        }
        for phrase in typed.subtracting(deleted) where !final.contains(Self.words(phrase).joined()) {
            faults.append("the phrase \(phrase) is not in \(final)")
        }
        let count = final.split(separator: " ").count
        if count != typed.subtracting(deleted).count * 3 { faults.append("\(final) has \(count) words") }
    }
}
