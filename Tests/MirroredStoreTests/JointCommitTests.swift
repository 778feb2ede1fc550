import CloudletTesting
import Foundation
import MirroredStore
import Synchronization
import Testing

@testable import TestKit

extension SeveralStoresTests {
    private static let entities = ["Post", "Notice", "Manuscript"]

    private func counts(_ stores: MirroredStores) async throws -> [Int] {
        try await stores.read { reader in try Self.entities.map { try reader.objects($0).count } }
    }

    /// Saves an object in each of three stores.
    private func saveOfEach(_ stores: MirroredStores) async throws {
        try await stores.write { objects in
            try objects.save(try objects.make("Post"))
            try objects.save(try objects.make("Notice"))
            var draft = try objects.make("Manuscript")
            try draft.set("text", to: "a long story")
            try objects.save(draft)
        }
    }

    /// Stores whose first transaction failed after only `local` had committed, the store that commits first.
    private func torn(in world: CloudletWorld, _ folder: URL) async throws -> MirroredStores {
        let isFailing = Mutex(true)
        let phone = try await stores("phone", of: "alice", in: world, folder) { name in
            if name == "local", isFailing.withLock({ $0 }) { throw Killed() }
        }
        await #expect(throws: Killed.self) { try await saveOfEach(phone) }
        isFailing.withLock { $0 = false }
        return phone
    }

    @Test(
        "Cancelling the task while the stores commit neither splits the transaction nor fails the call",
        arguments: ["local", "team", "shared", "cloud"])
    func cancelled(_ last: String) async throws {
        try await withWorld { world, folder in
            let running = Mutex<Task<Void, any Error>?>(nil)
            let phone = try await stores("phone", of: "alice", in: world, folder) { name in
                if name == last { running.withLock { $0?.cancel() } }
            }
            let (start, gate) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                for await _ in start { break }
                try await saveOfEach(phone)
            }
            running.withLock { $0 = task }
            gate.yield()
            try await task.value
            #expect(task.isCancelled)
            #expect(try await counts(phone) == [1, 1, 1])
            try await saveOfEach(phone)
            let again = try await stores("phone", of: "alice", in: world, folder, start: 100)
            #expect(again.unfinished == [])
            #expect(try await counts(again) == [2, 2, 2])
        }
    }

    @Test("A task that is cancelled before the call changes nothing")
    func cancelledBefore() async throws {
        try await withWorld { world, folder in
            let phone = try await stores("phone", of: "alice", in: world, folder)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await saveOfEach(phone)
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await counts(phone) == [0, 0, 0])
        }
    }

    @Test("Changes that cannot be read are reported, and prevent neither writing nor opening")
    func unreadable() async throws {
        try await withWorld { world, folder in
            let phone = try await torn(in: world, folder)
            let file = folder.appendingPathComponent("alice-phone/local/replica.sqlite")
            try execute("UPDATE mirrored_intent SET changes = x'00' WHERE store = 'cloud'", in: file)
            #expect(phone.unfinished == [])
            try await saveOfEach(phone)
            #expect(phone.unfinished.map(\.code) == [.invalidValue])
            #expect(try await counts(phone) == [1, 2, 2])
            let again = try await stores("phone", of: "alice", in: world, folder, start: 100)
            #expect(again.unfinished == phone.unfinished)
            #expect(try await counts(again) == [1, 2, 2])
        }
    }

    @Test("Changes that a store still lacks are not made after deleteLocalData()")
    func forgotten() async throws {
        try await withWorld { world, folder in
            let phone = try await torn(in: world, folder)
            #expect(try await counts(phone) == [0, 0, 1])
            try await phone.store("cloud").deleteLocalData()
            let again = try await stores("phone", of: "alice", in: world, folder, start: 100)
            #expect(again.unfinished == [])
            #expect(try await counts(again) == [0, 1, 1])
        }
    }
}
