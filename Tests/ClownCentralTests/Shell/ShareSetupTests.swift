import Cloudlet
import CloudletShell
import Foundation
import Testing

@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("What the device and the app allow for sharing", .timeLimit(.minutes(2)))
struct ShareSetupTests {
    /// Alice shares a note with Bob from her phone. Returns its URL.
    private func shareNote(in world: ShellWorld) async throws -> String {
        let outcomes = await world.type(
            "as bob", "profile email=bob@example.org", "as alice", "on phone", "note add Hats", "sync",
            "share add Hats --with bob@example.org")
        #expect(outcomes.compactMap(\.shellError).isEmpty)
        let shared = try await ShareRepository(container: await world.cloud.container).byMe().models.first
        return try #require(shared?.share.url).absoluteString
    }

    @Test("A watch has no dialog for sharing, and still shows and edits shared notes")
    func watch() async throws {
        try await ShellWorld.run { world in
            let url = try await shareNote(in: world)
            await world.type("on wrist --profile watch")
            for line in [
                "share add Hats --with carol@example.org", "share link Hats", "share link Hats --public",
                "share remove Hats --who bob@example.org", "share stop Hats", "share accept \(url)",
                "share ask \(url)",
            ] {
                // The watch has its own copy of Alice's notes, so the note is found first.
                await world.type("sync")
                let error = await world.runner.run(line).shellError
                #expect(error?.code == "noSharing", "\(line)")
                #expect(error?.remedy?.contains("on DEVICE") == true)
            }
            #expect(await world.data("share list").contains("Hats"))
            #expect(await world.data("share show Hats").contains("bob@example.org"))
            let accepted = await world.type(
                "as bob", "on desk", "share accept \(url)", "on band --profile watch")
            #expect(accepted.compactMap(\.shellError).isEmpty)
            let edited = await world.runner.run("share edit Hats 'Red hats'")
            #expect(edited.shellError == nil)
            #expect(await world.data("share list").contains("Red hats"))
        }
    }

    @Test("Without the setting for sharing no share is accepted; the error names the setting (N52)")
    func switchOfTheProject() async throws {
        let accept = "$app --ephemeral -c 'as bob' -c 'share accept http://127.0.0.1:1/share/x'"
        let off = try await Program.shell("echo 'sharing = off' > clown-central.conf; \(accept)")
        #expect(off.code != 0)
        #expect(off.errors.contains("the app does not say that it supports sharing"), "\(off)")
        #expect(off.errors.contains("set `sharing = on` in clown-central.conf"))
        for setting in ["", "sharing = on"] {
            let on = try await Program.shell("echo '\(setting)' > clown-central.conf; \(accept)")
            #expect(!on.errors.contains("supports sharing"), "\(on)")
        }
        let bad = try await Program.shell("echo 'sharing = maybe' > clown-central.conf; \(accept)")
        #expect(bad.code == 2)
        #expect(bad.errors.contains("use one of on, off"))
    }

    /// Options with these choices.
    private static func options(
        _ permissions: CKSharingParticipantPermissionOption, _ access: CKSharingParticipantAccessOption
    ) -> CKAllowedSharingOptions {
        CKAllowedSharingOptions(
            allowedParticipantPermissionOptions: permissions, allowedParticipantAccessOptions: access)
    }

    @Test("A note is not shared in a way that the app's sharing options leave out (N48)")
    func options() async throws {
        try await ShellWorld.run { world in
            await world.type("as bob", "profile email=bob@example.org", "as alice", "note add Hats", "sync")
            let note = try await world.app.note(Word("Hats"))
            var repository = ShareRepository(container: await world.cloud.container)
            let bob = ["bob@example.org"]
            repository.options = Self.options(.readOnly, .specifiedRecipientsOnly)
            await #expect(throws: RepositoryError.notOffered("with people who write")) {
                try await repository.invite(bob, to: note, .readWrite)
            }
            await #expect(throws: RepositoryError.notOffered("with everybody who has the URL")) {
                try await repository.open(note, to: .readOnly)
            }
            await #expect(throws: RepositoryError.notOffered("with people who ask for access")) {
                try await repository.takeRequests(note, true)
            }
            let nothing = try await repository.byMe().models
            #expect(nothing.isEmpty)
            let invited = try await repository.invite(bob, to: note, .readOnly)
            #expect(invited.guests.map(\.permission) == [.readOnly])
            repository.options = Self.options(.readWrite, .anyoneWithLink)
            await #expect(throws: RepositoryError.notOffered("with invited people only")) {
                try await repository.invite(bob, to: note, .readWrite)
            }
            await #expect(throws: RepositoryError.notOffered("with invited people only")) {
                try await repository.open(note, to: .none)
            }
            await #expect(throws: RepositoryError.notOffered("with people who only read")) {
                try await repository.open(note, to: .readOnly)
            }
            let open = try await repository.open(note, to: .readWrite)
            #expect(open.share.publicPermission == .readWrite)
        }
    }

    @Test("A person proves the invited address, and only that one, and accepts the share (N75)")
    func proven() async throws {
        try await ShellWorld.run { world in
            let url = try await shareNote(in: world)
            await world.type("share add Hats --with eve@example.org", "as eve", "on desk")
            let wrong = await world.runner.run("address prove eve@example.org --code 1").shellError
            #expect(wrong?.code == "accessDenied")
            let line = "address prove zoe@example.org --share \(url)"
            let other = await world.runner.run(line)
            #expect(other.shellError == nil)
            #expect(other.rendering.messages.contains("if the address is invited, it gets a code"))
            #expect(await world.runner.run("share accept \(url)").shellError != nil)
            let proof = await world.runner.run("address prove Eve@example.org --share \(url)")
            #expect(proof.shellError == nil)
            #expect(proof.rendering.messages.contains("eve@example.org belongs to your account"))
            #expect(await world.runner.run("share accept \(url)").shellError == nil)
        }
    }

    @Test("`explain` says how to verify an address: open the URL of the share in a browser")
    func unverified() async throws {
        try await ShellWorld.run { world in
            let url = try await shareNote(in: world)
            await world.type("share add Hats --with eve@example.org", "as eve", "on desk")
            let error = await world.runner.run("share accept \(url)").shellError
            #expect(error?.code == "participantMayNeedVerification")
            let text = await world.data("explain participantMayNeedVerification")
                .split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(text.contains("open the share's URL in a browser"))
        }
    }
}
