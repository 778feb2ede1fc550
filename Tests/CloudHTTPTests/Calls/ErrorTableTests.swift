import CloudletServer
import CloudletTesting
import Foundation
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

/// A scenario that causes an error, with the expected answer.
struct WireError: Sendable, CustomTestStringConvertible {
    let code: RecordError.Code
    /// The expected status, code and reason in the answer, for the request or for one item.
    let words: String
    /// The fault that causes the same error; nil if there is none.
    let fault: FaultKind?
    /// Causes the error. Returns the HTTP status and the error dictionary.
    let provoke: @Sendable (ServerWorld, Person) async throws -> (status: Int, error: JSON)

    init(
        _ code: RecordError.Code, _ words: String, fault: FaultKind? = nil,
        provoke: @escaping @Sendable (ServerWorld, Person) async throws -> (status: Int, error: JSON)
    ) {
        self.code = code
        self.words = words
        self.fault = fault
        self.provoke = provoke
    }

    var testDescription: String { code.rawValue }
}

@Suite("Every error that concerns records, over the wire", .timeLimit(.minutes(30)))
struct ErrorTableTests {
    /// The codes that do not concern records, but accounts, containers and other objects. Other tests cover
    /// them.
    private static let others: Set<RecordError.Code> = [
        .accountRestricted, .accountUnavailable, .badContainer, .exists, .alreadyShared,
        .tooManyParticipants, .participantMayNeedVerification, .participantAlreadyInvited,
    ]

    private static func call(
        _ world: ServerWorld, _ endpoint: String, _ body: JSON, as person: Person?, item: Int? = nil
    ) async throws -> (status: Int, error: JSON) {
        let details: CloudHeaders = ["X-Cloudlet-Details": "1"]
        let reply = try await world.call(endpoint, body, as: person, headers: details)
        guard let item else { return (reply.status, reply.json) }
        let key = endpoint.hasSuffix("changes/zone") ? "zones" : "records"
        return (reply.status, reply.json[key][item])
    }

    private static func save(
        _ world: ServerWorld, _ operations: [JSON], as person: Person?, item: Int = 0,
        in place: String = "private", zone: String? = nil
    ) async throws -> (status: Int, error: JSON) {
        let body = batch(operations, zone: zone)
        return try await call(world, "\(place)/records/modify", body, as: person, item: item)
    }

    private static func makeZone(_ name: String, _ world: ServerWorld, _ person: Person) async throws {
        try await world.call("private/zones/modify", zones(create: [name]), as: person)
    }

    private static func struck(
        _ name: FaultKind, _ world: ServerWorld, _ person: Person
    ) async throws -> (
        status: Int, error: JSON
    ) {
        world.server.faults.add(Fault(name, count: 1))
        return try await call(world, "private/records/modify", batch([create("a")]), as: person)
    }

    private static let saving: [WireError] = [
        WireError(.conflict, "CONFLICT: client oplock error updating record", fault: .conflict) {
            world, alice in
            _ = try await save(world, [create("a")], as: alice)
            return try await save(world, [operation("update", "a", tag: "zz")], as: alice)
        },
        WireError(.conflict, "CONFLICT: record to insert already exists") { world, alice in
            _ = try await save(world, [create("a")], as: alice)
            return try await save(world, [create("a")], as: alice)
        },
        WireError(.atomicFailure, "ATOMIC_ERROR: Atomic failure", fault: .conflict) { world, alice in
            try await makeZone("Z", world, alice)
            _ = try await save(world, [create("a")], as: alice, zone: "Z")
            return try await save(world, [create("a"), create("b")], as: alice, item: 1, zone: "Z")
        },
        WireError(.notFound, "NOT_FOUND: Record not found", fault: .recordDeleted) { world, alice in
            try await save(world, [operation("update", "a", type: "Party", tag: "1")], as: alice)
        },
        WireError(
            .badRequest,
            """
            BAD_REQUEST: invalid attempt to set value type INT64 for field 'name' for type 'Party', \
            defined to be: STRING
            """, fault: .invalidItem
        ) { world, alice in
            _ = try await save(world, [create("a", ["name": text("x")])], as: alice)
            return try await save(world, [create("b", ["name": number(1)])], as: alice)
        },
        WireError(
            .limitExceeded,
            """
            BAD_REQUEST: Your request contains 201 items which is more than the maximum number of items in a \
            single request (200)
            """, fault: .limitExceeded
        ) { world, alice in
            try await call(
                world, "private/records/modify", batch((0...200).map { create("\($0)") }), as: alice)
        },
        WireError(
            .validatingReference, "VALIDATING_REFERENCE_ERROR: the target of a reference does not exist",
            fault: .referenceViolation
        ) { world, alice in
            try await save(world, [create("a", ["to": link("nowhere", "VALIDATE")])], as: alice)
        },
        WireError(.assetRejected, "BAD_REQUEST: bad upload receipt (did_not_validate)") { world, alice in
            let receipt = try await world.upload([1], record: "f", database: "private", as: alice)
            return try await save(world, [world.photo("f", receipt.with(["size": 2]))], as: alice)
        },
        WireError(.uploadExpired, "BAD_REQUEST: bad upload receipt (did_not_validate)") { world, alice in
            let receipt = try await world.upload([1], record: "f", database: "private", as: alice)
            world.clock.advance(bySeconds: 901)
            return try await save(world, [world.photo("f", receipt)], as: alice)
        },
        WireError(.quotaExceeded, "QUOTA_EXCEEDED: quota exceeded", fault: .quotaFull) { world, alice in
            world.server.faults.add(Fault(.quotaFull, count: 1))
            return try await save(world, [create("a")], as: alice)
        },
    ]

    private static let asking: [WireError] = [
        WireError(.zoneNotFound, "ZONE_NOT_FOUND: Zone not found", fault: .zoneNotFound) { world, alice in
            try await call(world, "private/records/modify", batch([create("a")], zone: "No"), as: alice)
        },
        WireError(.zonePurged, "ZONE_NOT_FOUND: Zone was purged by user", fault: .zonePurged) {
            world, alice in
            try await makeZone("Z", world, alice)
            try await remove("purged", world, alice)
            return try await call(world, "private/records/lookup", names("a", zone: "Z"), as: alice)
        },
        WireError(.zoneReset, "ZONE_NOT_FOUND: Zone not found, the user reset encrypted data") {
            world, alice in
            try await makeZone("Z", world, alice)
            try await remove("encryptedDataReset", world, alice)
            return try await call(world, "private/records/lookup", names("a", zone: "Z"), as: alice)
        },
        WireError(
            .changeTokenExpired, "BAD_REQUEST: client knowledge differs from server knowledge",
            fault: .tokenExpired
        ) { world, alice in
            try await makeZone("Z", world, alice)
            let list = try await world.get("private/zones/list", as: alice)
            try await world.call("private/zones/modify", zones(delete: ["Z"]), as: alice)
            try await makeZone("Z", world, alice)
            let feed: JSON = ["zoneID": ["zoneName": "Z"], "syncToken": list.json["zones"][1]["syncToken"]]
            return try await call(world, "private/changes/zone", ["zones": [feed]], as: alice, item: 0)
        },
        WireError(
            .badDatabase, "BAD_REQUEST: zones/modify is not available on this database"
        ) { world, alice in
            try await call(world, "public/zones/modify", zones(create: ["Z"]), as: alice)
        },
        WireError(
            .zoneBusy, "TRY_AGAIN_LATER: zone is busy: CAS Op-Lock failed. Retry request", fault: .zoneBusy
        ) {
            try await struck(.zoneBusy, $0, $1)
        },
        WireError(.tryAgainLater, "TRY_AGAIN_LATER: service unavailable", fault: .unavailable) {
            try await struck(.unavailable, $0, $1)
        },
        WireError(.throttled, "THROTTLED: too many requests", fault: .rateLimited) {
            try await struck(.rateLimited, $0, $1)
        },
    ]

    private static let people: [WireError] = [
        WireError(
            .authenticationRequired, "AUTHENTICATION_REQUIRED: request needs authorization", fault: .signedOut
        ) { world, _ in
            try await call(world, "private/records/lookup", names("a"), as: nil)
        },
        WireError(.authenticationFailed, "AUTHENTICATION_FAILED: the web auth token is not valid") {
            world, _ in
            let stranger = Person(name: "x", token: "x", recordName: "_x")
            return try await call(world, "private/records/lookup", names("a"), as: stranger)
        },
        WireError(.accessDenied, "ACCESS_DENIED: WRITE operation not permitted", fault: .notPermitted) {
            world, alice in
            _ = try await save(world, [create("a")], as: alice, in: "public")
            let bob = try await world.signIn("bob")
            return try await save(
                world, [operation("forceUpdate", "a", type: "Party")], as: bob, in: "public")
        },
        WireError(.internalError, "INTERNAL_ERROR: the file store failed") { world, alice in
            // Replaces the stored file by a symbolic link to itself.
            let receipt = try await world.upload(Array("whole".utf8), record: "f", as: alice)
            let saved = try await world.modify("public", [world.photo("f", receipt)], as: alice)
            let place = try #require(saved.json["records"][0]["fields"]["file"]["value"]["downloadURL"].text)
            let file = try #require(world.contentFiles.first)
            let content = world.server.dataFolder.appendingPathComponent(file)
            try FileManager.default.removeItem(at: content)
            try FileManager.default.createSymbolicLink(at: content, withDestinationURL: content)
            let reply = try await world.send("GET", place, headers: ["X-Cloudlet-Details": "1"])
            return (reply.status, reply.json)
        },
    ]

    private static func remove(_ reason: JSON, _ world: ServerWorld, _ person: Person) async throws {
        let body: JSON = ["container": "iCloud.test", "reason": reason, "zones": ["Z"]]
        let target = "/dev/zones?ckWebAuthToken=\(person.token)"
        #expect(try await world.send("POST", target, body: try body.encoded()).status == 200)
    }

    private static let all = saving + asking + people

    @Test("Each error has its code, text and status, and details for Cloudlet's own client", arguments: all)
    func produced(item: WireError) async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let (status, error) = try await item.provoke(world, alice)
            #expect(Reply.failure(error) == item.words)
            #expect(error["cloudlet"]["code"] == .string(item.code.rawValue))
            #expect(error["serverErrorCode"] == .string(item.code.wireName))
            let isItem = error["recordName"] != .null || error["zoneID"] != .null
            #expect(status == (isItem ? 200 : item.code.status))
            if item.code != .internalError { #expect(error["cloudlet"]["nextStep"].text != nil) }
        }
    }

    @Test("The fault for an error produces the same code", arguments: all.filter { $0.fault != nil })
    func byFault(item: WireError) async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            try await Self.makeZone("Z", world, alice)
            let list = try await world.get("private/zones/list", as: alice)
            world.server.faults.add(Fault(try #require(item.fault), count: 1))
            let details: CloudHeaders = ["X-Cloudlet-Details": "1"]
            let save = batch([create("a"), create("b")], zone: "Z")
            let saved = try await world.call("private/records/modify", save, as: alice, headers: details)
            let feed: JSON = ["zoneID": ["zoneName": "Z"], "syncToken": list.json["zones"][1]["syncToken"]]
            let fed = try await world.call(
                "private/changes/zone", ["zones": [feed]], as: alice, headers: details)
            let errors = [saved.json] + saved.json["records"].elements + fed.json["zones"].elements
            let codes = errors.compactMap { $0["cloudlet"]["code"].text }
            #expect(codes.contains(item.code.rawValue), "\(codes)")
            world.server.faults.clear()
            let again = try await world.modify("private", [create("c")], as: alice)
            #expect(again.records == ["ok"])
        }
    }

    @Test("No code is missing from the table")
    func complete() {
        let covered = Set(Self.all.map(\.code)).union(Self.others)
        #expect(Set(RecordError.Code.allCases).subtracting(covered) == [])
    }
}
