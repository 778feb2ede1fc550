import Foundation
import RecordStore
import Records
import RecordsWire
import SQLiteSupport
import Testing

@testable import RecordStoreSQLite
@testable import TestKit

@Suite("Pages read ahead")
struct ReadAheadTests {
    private let request = ChangesRequest(zone: "Z", limit: 2)

    private func page(_ token: UInt8 = 1) -> ChangesPage {
        let changes = PackedChanges(zone: ZoneID(name: "Z"))
        return ChangesPage(changes, token: ChangeToken(bytes: [token]), moreComing: true)
    }

    @Test("A page is returned once, to the request for which it was read")
    func once() async {
        let ahead = ReadAhead()
        #expect(ahead.begin(request, after: 1))
        ahead.end(request, page())
        var other = request
        other.limit = 3
        #expect(await ahead.take(other, after: 1) == nil)
        #expect(await ahead.take(request, after: 1) == page())
        #expect(await ahead.take(request, after: 1) == nil)
    }

    @Test("Very large pages, and pages from before a commit, are not kept")
    func kept() async {
        let ahead = ReadAhead()
        var large = page()
        let name = [UInt8](repeating: 65, count: ReadAhead.bytes + 1)
        name.withUnsafeBytes { large.packed.addDeletion($0, type: "Party", sequence: 1) }
        #expect(ahead.begin(request, after: 1))
        ahead.end(request, large)
        #expect(await ahead.take(request, after: 1) == nil)
        #expect(ahead.begin(request, after: 2))
        ahead.end(request, page())
        ahead.forget(before: 3)
        #expect(await ahead.take(request, after: 2) == nil)
        #expect(ahead.begin(request, after: 3))
        ahead.end(request, page())
        #expect(!ahead.begin(request, after: 2))
        #expect(await ahead.take(request, after: 3) == page())
    }

    @Test("After a commit no page is returned, even if it is still being read")
    func commits() async {
        let ahead = ReadAhead()
        #expect(ahead.begin(request, after: 1))
        #expect(await ahead.take(request, after: 2) == nil)
        ahead.end(request, page())
        #expect(await ahead.take(request, after: 2) == nil)
        #expect(ahead.begin(request, after: 2))
        ahead.end(request, page(2))
        #expect(await ahead.take(request, after: 2) == page(2))
    }

    @Test("A request for a page that is being read waits for it, and gets nil if the reading fails")
    func waiting() async {
        for expected in [page(), nil] {
            let ahead = ReadAhead()
            #expect(ahead.begin(request, after: 1))
            async let taken = ahead.take(request, after: 1)
            while ahead.waiting == 0 { await Task.yield() }
            ahead.end(request, expected)
            #expect(await taken == expected)
        }
    }

    @Test("One page is read at a time, and a few are kept")
    func bounds() async {
        let ahead = ReadAhead()
        let requests = (0...ReadAhead.limit).map { ChangesRequest(zone: "Z\($0)", limit: 2) }
        for request in requests {
            #expect(ahead.begin(request, after: 1))
            #expect(!ahead.begin(self.request, after: 1))
            ahead.end(request, page())
        }
        #expect(await ahead.take(requests[0], after: 1) == nil)
        for request in requests.dropFirst() { #expect(await ahead.take(request, after: 1) == page()) }
    }

    @Test("The next page is read ahead for followed feeds only")
    func follows() async throws {
        try await withWorld(.sqlite) { world in
            let store = try #require(world.store as? SQLiteStore)
            for name in ["a", "b", "c"] { try await world.create(name) }
            for isFollowed in [true, false] {
                var request = ChangesRequest(zone: ZoneID.defaultName, limit: 2)
                request.isFollowed = isFollowed
                request.since = try await store.changes(request).token
                let ahead = store.connections.readAhead
                let page = await ahead.take(request, after: store.writer.committed.commits)
                #expect(page?.changes.map(\.brief) == (isFollowed ? ["c"] : nil))
            }
        }
    }

    @Test("A store closes while pages are being read, with more readers than open connections")
    func closing() async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("test.sqlite")
            for _ in 0..<20 {
                let store = try SQLiteStore(
                    file: file, durability: .process, readers: 1, newIdentity: 7, codec: FieldJSON())
                let world = World(store: store)
                try await world.commit((0..<50).map { create("r\($0)-\(UUID())") })
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            let changes = try await world.changes(page: 5)
                            #expect(changes.count >= 50)
                        }
                    }
                    try await group.waitForAll()
                }
                _ = try await store.changes(ChangesRequest(zone: ZoneID.defaultName, limit: 5))
                try await store.close()
            }
        }
    }

    @Test("A page that was read ahead never lacks later writes")
    func writes() async throws {
        try await withWorld(.sqlite) { world in
            var random = SeededNumbers(seed: 20)
            for number in 0..<60 { try await world.create("r\(number)") }
            var request = ChangesRequest(zone: ZoneID.defaultName, limit: 3)
            for step in 0..<200 {
                if step.isMultiple(of: 40) { request.since = nil }
                let page = try await world.store.changes(request)
                var longer = request
                longer.limit = 4
                let whole = try await world.store.changes(longer)
                #expect(page.changes == Array(whole.changes.prefix(3)), "step \(step)")
                request.since = page.token
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    let name = "r\(Int.random(in: 0..<60, using: &random))"
                    _ = try await world.commit([delete(name), create(name)])
                default: break
                }
            }
        }
    }
}
