// Tests that the shell refuses bad input of people who share, with an error that names culprit and next step.

import Cloudlet
import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@Suite("Bad input of sharing at the shell")
struct ShareBadInputTests {
    /// A line that is refused, with the error: the framework's code, or the server's for `web`. `LINK`,
    /// `CUT`, `OWNER`, `NOTE`, `OTHER`, `CHAPTER` and `ZONE` in it stand for what the test has made.
    struct Line: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let person: String
        let text: String
        let code: String
        /// Parts of the error and of its remedy.
        let words: [String]

        init(_ title: String, _ person: String, _ text: String, _ code: String, _ words: String...) {
            (testDescription, self.person, self.text, self.code, self.words) = (
                title, person, text, code, words
            )
        }
    }

    /// The JSON of a change to records of the zone.
    private static func change(_ database: String, _ operations: String...) -> String {
        let zone =
            database == "shared" ? #"{"zoneName":"ZONE","ownerRecordName":"OWNER"}"# : #"{"zoneName":"ZONE"}"#
        return "web \(database)/records/modify '{\"zoneID\":\(zone),\"operations\":["
            + operations.joined(separator: ",") + "]}'"
    }

    private static func operation(
        _ kind: String, _ name: String, _ more: String = "", type: String = "Note"
    ) -> String {
        #"{"operationType":"\#(kind)","record":{"recordName":"\#(name)","recordType":"\#(type)"\#(more)}}"#
    }

    private static func share(of root: String) -> String {
        operation("create", "s", #","forRecord":{"recordName":"\#(root)"}"#, type: "cloudkit.share")
    }

    private static let lines: [Line] = [
        Line(
            "a URL that is cut", "bob", "share accept CUT", "unknownItem",
            "there is no share with this short GUID", "check the link"),
        Line(
            "a URL of nobody's share", "bob", "share accept http://loopback/share/\(nobody)", "unknownItem",
            nobody, "ask the owner"),
        Line(
            "one's own share", "alice", "share accept LINK", "invalidArguments",
            "the owner cannot accept the share", "open the record in the private database"),
        Line(
            "a stranger", "carol", "share accept LINK", "permissionFailure",
            "only invited people can accept this share", "ask the owner for an invitation"),
        Line(
            "a participant adds a root", "bob", change("shared", operation("create", "new")),
            "accessDenied", "new", "needs a parent in the same share", "set the parent"),
        Line(
            "a participant sets a parent outside", "bob",
            change("shared", operation("forceUpdate", "CHAPTER", #","parent":{"recordName":"OTHER"}"#)),
            "accessDenied", "needs a parent in the same share"),
        Line(
            "a participant deletes the root", "bob",
            change("shared", operation("forceDelete", "NOTE")), "accessDenied",
            "only the owner may delete the root of a share", "leave the share instead"),
        Line(
            "a participant edits the share", "bob",
            change(
                "shared",
                operation(
                    "forceUpdate", "share-NOTE", #","publicPermission":"READ_WRITE""#, type: "cloudkit.share")
            ),
            "accessDenied", "only the owner and administrators may change a share", "ask the owner"),
        Line(
            "a share in the default zone", "alice",
            change("private", share(of: "home"))
                .replacing("ZONE", with: "_defaultZone"),
            "badRequest", "the default zone cannot hold shares", "zone"),
        Line(
            "a share in the public database", "alice",
            "web public/records/modify '{\"operations\":[\(share(of: "home"))]}'",
            "badRequest", "a share is saved in its owner's private database", "private"),
        Line(
            "the 101st person", "alice",
            "share add NOTE --with "
                + (1...100).map { "\($0)@example.org" }.joined(separator: ","),
            "tooManyParticipants", "at most 100 participants", "remove some"),
    ]

    /// A well-formed short GUID that no server has made.
    private static let nobody = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    @Test("A wrong line is refused with the next step, and changes nothing", arguments: lines)
    func refused(_ line: Line) async throws {
        try await ShellWorld.run { world in
            let names = try await shareNote(in: world)
            let before = try await state(in: world)
            await world.type("as \(line.person)")
            let text = names.reduce(line.text) { $0.replacing($1.key, with: $1.value) }
            let shellError = await world.runner.run(text).shellError
            #expect(shellError?.code == line.code)
            let said = (shellError?.message ?? "") + " " + (shellError?.remedy ?? "")
            for part in line.words {
                let word = names.reduce(part) { $0.replacing($1.key, with: $1.value) }
                #expect(said.contains(word), "\(said)")
            }
            #expect(try await state(in: world) == before)
        }
    }

    @Test("A share that has ended, and one of another environment, are not found")
    func elsewhere() async throws {
        try await ShellWorld.run { world in
            let names = try await shareNote(in: world)
            let link = names["LINK"] ?? ""
            await world.type("as bob", "environment production")
            let production = await world.runner.run("share accept \(link)").shellError
            #expect(production?.code == "unknownItem")
            await world.type(
                "environment development", "as alice", "share stop \(names["NOTE"] ?? "")", "as bob")
            let ended = await world.runner.run("share accept \(link)").shellError
            #expect(ended?.code == "unknownItem")
            #expect(ended?.message.contains("whether the record is still shared") == true)
        }
    }

    /// Alice shares a note with Bob, who has accepted. A chapter is below it, another note is not shared.
    private func shareNote(in world: ShellWorld) async throws -> [String: String] {
        for line in [
            "as bob", "profile email=bob@example.org given=Bob", "as carol", "as alice", "on phone",
            "note add Balloons", "note add Hats", "sync", "share add Balloons --with bob@example.org",
        ] {
            let outcome = await world.runner.run(line)
            #expect(outcome.shellError == nil, "\(line)")
        }
        let container = await world.cloud.container
        let repository = ShareRepository(container: container)
        let shared = try #require(try await repository.byMe().models.first)
        let zone = shared.record.recordID.zoneID
        let chapter = CKRecord(
            recordType: shared.record.recordType, recordID: CKRecord.ID(recordName: "chapter", zoneID: zone))
        chapter.setParent(shared.record)
        _ = try await container.privateCloudDatabase.save(chapter)
        let link = try #require(shared.share.url).absoluteString
        await world.type("as bob")
        #expect(await world.runner.run("share accept \(link)").shellError == nil)
        await world.type("as alice")
        let others = try await recordNames(in: world).filter { $0 != shared.record.recordID.recordName }
        let other = try #require(others.first { $0.hasPrefix("note-") })
        return [
            "LINK": link, "CUT": String(link.dropLast()), "CHAPTER": "chapter",
            "NOTE": shared.record.recordID.recordName, "OTHER": other, "ZONE": zone.zoneName,
            "OWNER": try await container.userRecordID().recordName,
        ]
    }

    private func recordNames(in world: ShellWorld) async throws -> [String] {
        try await state(in: world).map { String($0.prefix { $0 != " " }) }
    }

    /// Alice's notes and shares with their change tags. Signs her in.
    private func state(in world: ShellWorld) async throws -> [String] {
        await world.type("as alice")
        let database = await world.cloud.container.privateCloudDatabase
        var found: [String] = []
        for zone in try await database.allRecordZones().map(\.zoneID) where zone != .default {
            let page = try await database.recordZoneChanges(inZoneWith: zone, since: nil)
            found += page.modificationResultsByID.compactMap { id, result in
                (try? result.get().record.recordChangeTag).map { "\(id.recordName) \($0)" }
            }
        }
        return found.sorted()
    }
}
