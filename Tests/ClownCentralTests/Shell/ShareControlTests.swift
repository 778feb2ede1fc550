// Tests that the commands have the features of the platform's sharing dialog.

import Cloudlet
import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("The commands in place of the sharing dialog")
struct ShareControlTests {
    /// Alice has a note on her phone and on the server, which she does not share yet.
    private func writeNote(in world: ShellWorld) async {
        for line in [
            "as bob", "profile email=bob@example.org", "as alice", "on phone", "note add Hats", "sync",
        ] {
            let outcome = await world.runner.run(line)
            #expect(outcome.shellError == nil, "\(line)")
        }
    }

    private func shared(_ world: ShellWorld) async throws -> SharedNote {
        try #require(try await ShareRepository(container: await world.cloud.container).byMe().models.first)
    }

    @Test("The first invitation to a note saves its share together with the note (N46)")
    func preparation() async throws {
        try await ShellWorld.run { world in
            await writeNote(in: world)
            let repository = ShareRepository(container: await world.cloud.container)
            let before = try await repository.byMe().models
            #expect(before.isEmpty)
            let outcome = await world.runner.run("share add Hats --with bob@example.org")
            #expect(outcome.shellError == nil)
            let note = try await shared(world)
            #expect(note.record.share?.recordID == note.share.recordID)
            #expect(note.share.url != nil)
        }
    }

    @Test(
        "A note is shared with invited people or publicly, to read or to write, as the options say (N48)",
        arguments: [
            ("share add Hats --with bob@example.org", CKShare.ParticipantPermission.none, false),
            ("share add Hats --with bob@example.org --read-only", .none, true),
            ("share link Hats --public", .readWrite, false),
            ("share link Hats --public --read-only", .readOnly, false),
        ])
    func options(_ line: String, everybody: CKShare.ParticipantPermission, readsOnly: Bool) async throws {
        try await ShellWorld.run { world in
            await writeNote(in: world)
            #expect(await world.runner.run(line).shellError == nil)
            let share = try await shared(world).share
            #expect(share.publicPermission == everybody)
            let guests = share.participants.filter { $0.role != .owner }
            #expect(
                guests.map(\.permission) == (everybody == .none ? [readsOnly ? .readOnly : .readWrite] : []))
        }
    }

    @Test("People of a shared note are shown, added and removed, and sharing ends, by commands (N49)")
    func management() async throws {
        try await ShellWorld.run { world in
            await writeNote(in: world)
            await world.type("share add Hats --with bob@example.org")
            #expect(await world.data("share show Hats").contains("bob@example.org"))
            await world.type("share add Hats --with carol@example.org")
            #expect(try await shared(world).guests.count == 2)
            await world.type("share remove Hats --who carol@example.org")
            #expect(try await shared(world).guests.map(\.address) == ["bob@example.org"])
            #expect(await world.runner.run("share stop Hats").shellError == nil)
            let repository = ShareRepository(container: await world.cloud.container)
            let left = try await repository.byMe().models
            #expect(left.isEmpty)
            #expect(await world.data("note list").contains("Hats"))
        }
    }

    @Test("The list of fidelity says that dialogs and item providers have no counterpart (N50)")
    func absent() throws {
        let page = URL.package.appending(path: "Sources/Cloudlet/Documentation.docc/Fidelity.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        for name in ["NSSharingService", "NSItemProvider", "UICloudSharingController"] {
            let row = try #require(rows.first { $0.hasPrefix("|") && $0.contains("`\(name)`") })
            #expect(row.contains("nothing: dialogs and item providers belong to Apple's systems"))
            #expect(row.contains("| close |"))
        }
    }
}
