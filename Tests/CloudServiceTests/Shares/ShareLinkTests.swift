import CloudletServer
import Records
import Synchronization
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Many short GUIDs in one request", .timeLimit(.minutes(30)))
struct ShareLinkTests {
    /// Calls an endpoint for these short GUIDs, without the roots of the shares.
    private func links(
        _ call: String, _ guids: [String], as person: Person, _ world: ServerWorld
    ) async throws -> Reply {
        let items = guids.map { guid -> JSON in ["value": .string(guid)] }
        return try await world.call("public/records/\(call)", ["shortGUIDs": .array(items)], as: person)
    }

    private func change(_ members: [String: JSON], of story: SharingStory) async throws {
        let change = operation("forceUpdate", story.share, type: "cloudkit.share", [:], members)
        let saved = try await story.world.modify("private", [change], zone: "Notes", as: story.alice)
        #expect(saved.records == ["ok"])
    }

    @Test("Equal short GUIDs are answered once, and the answer stands at each of their places")
    func repeated() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            let guids = [story.guid, "x", story.guid, story.guid]
            let codes: [String?] = [nil, "NOT_FOUND", nil, nil]
            try await change(["denyAccessRequests": false], of: story)
            let asked = try await links("requestAccess", guids, as: story.carol, world)
            #expect(asked.json["results"].texts("serverErrorCode") == codes)
            try await change(["publicPermission": "READ_ONLY"], of: story)
            let found = try await links("resolve", guids, as: story.carol, world).json["results"]
            #expect(found.texts("serverErrorCode") == codes)
            let named = found.elements.compactMap { $0["shortGUID"]["value"].text }
            #expect(named == guids)
            // A person who has not accepted gets a new participant from each look-up.
            let ids = found.elements.compactMap { $0["share"]["participants"][1]["participantId"].text }
            #expect(ids.count == 3)
            #expect(Set(ids).count == 1)
            let accepted = try await links("accept", guids, as: story.carol, world).json["results"]
            #expect(accepted.texts("participantStatus") == ["ACCEPTED", nil, "ACCEPTED", "ACCEPTED"])
        }
    }

    @Test("The root of a share is in the answer only for the places that want it")
    func roots() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            let items = [true, false, true].map { wantsRoot -> JSON in
                ["value": .string(story.guid), "shouldFetchRootRecord": .bool(wantsRoot)]
            }
            for call in ["resolve", "accept", "resolve"] {
                let answer = try await world.call(
                    "public/records/\(call)", ["shortGUIDs": .array(items)], as: story.bob)
                let results = answer.json["results"].elements
                let titles = results.map { $0["rootRecord"]["fields"]["title"]["value"].text }
                #expect(titles == ["Alps", nil, "Alps"], "\(call)")
                let shares = results.map { $0["share"]["fields"]["cloudkit.title"]["value"].text }
                #expect(shares == ["Alps", "Alps", "Alps"], "\(call)")
            }
        }
    }

    @Test("A request accepts, or requests access to, no more shares than the limit")
    func limited() async throws {
        try await withServer(.loopback, { $0.limits.sharesPerRequest = 2 }) { world in
            let story = try await SharingStory.begin(world)
            let (two, three) = (["x", "y"], ["x", "y", "z"])
            for call in ["accept", "requestAccess"] {
                let fitting = try await links(call, two, as: story.bob, world)
                #expect(fitting.json["results"].texts("serverErrorCode") == ["NOT_FOUND", "NOT_FOUND"])
                let longer = try await links(call, three, as: story.bob, world)
                #expect(longer.failure.contains("contains 3 items which is more than the maximum"))
            }
            let resolved = try await links("resolve", three, as: story.bob, world)
            #expect(resolved.json["results"].elements.count == 3)
        }
    }

    @Test("More than ten short GUIDs are resolved on a thread for slow reads")
    func manyLinks() async throws {
        let gate = GatedExecutor()
        gate.open()
        try await withServer(.socket, { $0.threads = gate.threads }) { world in
            let story = try await SharingStory.begin(world)
            let before = gate.count
            let few = (0..<10).map { "\(story.guid)~\($0)" }
            let ten = try await links("resolve", few, as: story.bob, world)
            #expect(ten.json["results"].elements.count == 10)
            #expect(gate.count == before)
            let many = try await links("resolve", few + [story.guid], as: story.bob, world)
            #expect(many.json["results"].texts("participantStatus").last == "INVITED")
            #expect(gate.count > before)
        }
    }

    @Test("Memory is reserved for the fields of a share, then for those of its root too")
    func reserved() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            let shares = world.service.shares
            let bob = Caller(
                container: "iCloud.test", environment: .development,
                identity: .person(story.bob.recordName))
            let sizes = Mutex<[Int]>([])
            let found = try await shares.resolve(story.guid, wantsRoot: true, by: bob) { bytes in
                sizes.withLock { $0.append(bytes) }
            }
            let root = try #require(found.root).answerBytes(.shared)
            let counted = sizes.withLock { $0 }
            #expect(counted.count == 2)
            #expect(counted.last == (counted.first ?? 0) + root)
            let roomForShare = counted.first ?? 0
            do {
                _ = try await shares.resolve(story.guid, wantsRoot: true, by: bob) {
                    bytes throws(RecordError) in
                    if bytes > roomForShare { throw RecordError(.tryAgainLater, "no room") }
                }
                Issue.record("the root was returned, although there is no room for it")
            } catch let error as RecordError {
                #expect(error.code == .tryAgainLater)
            }
        }
    }
}
