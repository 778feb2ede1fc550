// Tests how people share notes with the commands of the app.

import Cloudlet
import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@Suite("Shared notes at the shell")
struct ShareTests {
    private static let linkUsage =
        "share link NOTE [--public] [--read-only] [--private] [--requests] [--no-requests]"

    /// Alice invites Bob to a note, and Bob accepts on his tablet. Another note of hers is on her phone only.
    /// Returns the message to Bob.
    @discardableResult
    private func shareNote(in world: ShellWorld) async -> String {
        let lines = [
            "as bob", "profile email=bob@example.org given=Bob", "as alice", "profile given=Alice",
            "on phone", "note add Balloons", "sync", "note add Fresh",
            "share add Balloons --with bob@example.org", "share link Balloons", "set link $_", "as bob",
            "on tablet", "share accept $link",
        ]
        var message = ""
        for line in lines {
            let outcome = await world.runner.run(line)
            #expect(outcome.shellError == nil, "\(line)")
            message = outcome.rendering.messages
        }
        return message
    }

    @Test("A note is the root of a share of its own, with the text of the note as title")
    func root() async throws {
        try await ShellWorld.run { world in
            await shareNote(in: world)
            await world.type("as alice", "on phone", "note add Noses", "sync", "share link Noses --public")
            let repository = ShareRepository(container: await world.cloud.container)
            let notes = try await repository.byMe().models
            #expect(notes.map(\.note.text) == ["Balloons", "Noses"])
            #expect(Set(notes.map(\.share.recordID)).count == 2)
            for note in notes {
                #expect(note.record.share?.recordID == note.share.recordID)
                #expect(note.share[CKShare.SystemFieldKey.title] == note.note.text)
                #expect(note.isOwn)
            }
            #expect(notes[0].guests.map(\.address) == ["bob@example.org"])
            #expect(notes[0].share.publicPermission == .none)
            #expect(notes[1].guests.isEmpty)
            #expect(notes[1].share.publicPermission == .readWrite)
            #expect(try await repository.withMe().models.isEmpty)
            // The sync has sent the note that was on the phone only.
            let closed = await world.runner.run("share link Fresh --private").shellError
            #expect(closed?.code == "notShared")
        }
    }

    @Test("A person who accepts a note learns where it is, also from the commands for own notes")
    func whereabouts() async throws {
        try await ShellWorld.run { world in
            let accepted = await shareNote(in: world)
            #expect(accepted == "accepted; it is in: share list; to change it: share edit Balloons TEXT\n")
            let list = await world.runner.run("note list").rendering.messages
            #expect(list.hasSuffix("notes of other people are in: share list\n"))
            let edit = await world.runner.run("note edit Balloons Red").shellError
            #expect(edit?.remedy == "note list; for notes of other people: share list, share edit")
        }
    }

    @Test("A person without an address learns how to set one, and no suggestion fails")
    func addresses() async throws {
        try await ShellWorld.run { world in
            await shareNote(in: world)
            await world.type("as alice", "on phone", "share add Balloons --with dora@example.org")
            let other = await world.type("as carol", "share accept $link")[1].shellError
            #expect(other?.code == "participantMayNeedVerification")
            let remedy = "prove that you own the invited address: address prove you@example.org --share http"
            #expect(other?.remedy?.hasPrefix(remedy) == true)
            await world.type("as alice")
            #expect(await world.runner.run("share add Fresh bob").shellError?.suggestions == [])
            let meant = await world.runner.run("share add Fresh bob@example.org").shellError?.suggestions
            #expect(meant?.first?.hasPrefix("share add Fresh --with ") == true)
            let advice = "set a field: profile email=you@example.org\n"
            await world.type("as carol")
            let empty = await world.runner.run("profile").rendering.messages
            #expect(empty == "your account has no address and no names; " + advice)
            await world.type("profile email=carol@example.org given=Carol")
            let profile = await world.runner.run("profile").rendering
            #expect(profile.data == "email  carol@example.org\ngiven  Carol\n")
            #expect(profile.messages == advice)
        }
    }

    @Test("A participant sees who owns, wrote and edited a note; the owner sees a name")
    func writers() async throws {
        try await ShellWorld.run { world in
            await shareNote(in: world)
            await world.type("share edit Balloons 'Red balloons'")
            let bobs = ShareRepository(container: await world.cloud.container)
            let theirs = try #require(try await bobs.withMe().models.first)
            #expect(theirs.note.text == "Red balloons")
            #expect(!theirs.isOwn)
            #expect(theirs.share.owner.displayName == "Alice")
            #expect(theirs.writer == "Alice")
            #expect(theirs.lastEditor == "you")
            await world.type("as alice", "on phone")
            let alices = ShareRepository(container: await world.cloud.container)
            let own = try #require(try await alices.byMe().models.first)
            #expect(own.writer == "you")
            #expect(own.lastEditor == "Bob")
        }
    }

    @Test(
        "An error about a share names the note or address, the reason and the next step",
        arguments: [
            (
                "as alice; share add Fresh --with bob@example.org", "notSent", "is not on the server yet",
                "sync, then repeat the command"
            ),
            (
                "as alice; share show Fresh", "notShared", "the note `Fresh` is not shared",
                "share add Fresh --with ADDRESS"
            ),
            (
                "as alice; share edit Balloons Red", "ownNote", "the note `Balloons` is your own",
                "note edit NOTE TEXT, then sync"
            ),
            (
                "as alice; share leave Balloons", "ownNote", "the note `Balloons` is your own",
                "share stop NOTE"
            ),
            (
                "as alice; share remove Balloons --who carol@example.org", "notFound",
                "there is no participant `carol@example.org`", "share show Balloons"
            ),
            (
                "as alice; share add Balloons --with bob", "usage", "`bob` is not an e-mail address",
                "share add NOTE --with bob@example.org,+442079460018; people set their address with: "
                    + "profile email=bob@example.org"
            ),
            (
                "as alice; share link Balloons --read-only", "usage", "--read-only is for --public",
                Self.linkUsage
            ),
            (
                "as alice; share link Balloons --public --private", "usage", "either public or private",
                Self.linkUsage
            ),
            (
                "as alice; share accept Balloons", "usage", "`Balloons` is not the URL of a share",
                "ask the owner of the note for the URL, which `share link NOTE` prints"
            ),
            (
                "as bob; share edit Nothing Red", "notFound", "there is no shared note `Nothing`",
                "share list"
            ),
        ])
    func errors(lines: String, code: String, words: String, remedy: String) async throws {
        try await ShellWorld.run { world in
            await shareNote(in: world)
            let parts = lines.components(separatedBy: "; ")
            await world.type(parts[0], "on phone")
            let shellError = await world.runner.run(parts[1]).shellError
            #expect(shellError?.code == code)
            #expect(shellError?.message.contains(words) == true, "\(shellError?.message ?? "no error")")
            #expect(shellError?.remedy == remedy)
        }
    }

    @Test("A command in a remedy quotes the text of the note, so that the shell reads it as one word")
    func quotedRemedy() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "on phone", #"note add "Buy \$five | noses""#, "sync")
            let shellError = await world.runner.run("share show Buy").shellError
            #expect(shellError?.remedy == #"share add "Buy \$five | noses" --with ADDRESS"#)
        }
    }

    @Test("A participant edits a note again, with the note that the first edit returned")
    func editedTwice() async throws {
        try await ShellWorld.run { world in
            await shareNote(in: world)
            let repository = ShareRepository(container: await world.cloud.container)
            let shared = try #require(try await repository.withMe().models.first)
            let first = try await repository.edit(shared, text: "Red Balloons")
            let second = try await repository.edit(first, text: "Red Balloons today")
            #expect(second.note.text == "Red Balloons today")
            #expect(second.edits.count == shared.edits.count + 1)
            #expect(try await repository.withMe().models.first?.note.text == "Red Balloons today")
        }
    }

    @Test("A person who is invited again gets the new permission")
    func permission() async throws {
        try await ShellWorld.run { world in
            await shareNote(in: world)
            await world.type("as alice", "on phone")
            let again = "share add Balloons --with bob@example.org --read-only"
            #expect(await world.runner.run(again).shellError == nil)
            await world.type("as bob", "on tablet")
            let edit = await world.runner.run("share edit Balloons Red")
            #expect(edit.shellError?.code == "permissionFailure")
            await world.type("as alice", "on phone", "share add Balloons --with bob@example.org")
            await world.type("as bob", "on tablet")
            #expect(await world.runner.run("share edit Balloons Red").shellError == nil)
        }
    }

    @Test("An edit of the owner offline is merged with one that a participant made meanwhile")
    func merge() async throws {
        try await ShellWorld.run { world in
            await shareNote(in: world)
            await world.type("as alice", "on phone", "sync", "network off")
            await world.type("note edit Balloons 'Balloons today'", "on tablet", "as bob")
            #expect(await world.runner.run("share edit Balloons 'Red Balloons'").shellError == nil)
            await world.type("as alice", "on phone", "network on", "sync --wait")
            #expect(await world.data("note list").contains("Red Balloons today"))
            await world.type("as bob", "on tablet")
            #expect(await world.data("share list").contains("Red Balloons today"))
        }
    }

    @Test("Tab offers notes of others, shared notes, participants, and addresses of the address book")
    func completion() async throws {
        try await ShellWorld.run { world in
            await shareNote(in: world)
            #expect(await world.names(of: .noteOfOthers) == [Candidate("Balloons", "of Alice")])
            await world.type("as alice", "on phone", "contact add 'Uncle Bob' bob@example.org +442079460018")
            #expect(await world.names(of: .noteOfOthers) == [])
            #expect(await world.names(of: .sharedNote) == [Candidate("Balloons", "your own")])
            let people = await world.names(of: .participant, after: ["Balloons"])
            #expect(people == [Candidate("bob@example.org", "Bob")])
            let addresses = await world.names(of: .address)
            #expect(addresses.map(\.text) == ["bob@example.org", "+442079460018"])
        }
    }
}
