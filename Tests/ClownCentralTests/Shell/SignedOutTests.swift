import Cloudlet
import Foundation
import Synchronization
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@MainActor
@Suite("Nobody is signed in")
struct SignedOutTests {
    @Test("Every command that needs an account is disabled, says so, and sends nothing")
    func disabled() async throws {
        try await ShellWorld.run { world in
            let specs = world.runner.program.commands.filter(\.needsAccount)
            let names = Set(specs.map(\.name))
            #expect(
                names.isSuperset(of: [
                    "party create", "note add", "receipt list", "card show", "photo add", "zone fetch",
                    "sync", "subscribe parties", "subscriptions", "friends",
                ]))
            let open: Set = ["party list", "photo list", "clown list", "seed", "as", "status"]
            #expect(names.isDisjoint(with: open))
            let sent = world.cloud.requests.count
            for spec in specs {
                let shellError = await world.runner.run(spec.examples[0]).shellError
                #expect(shellError?.code == "notAuthenticated", "\(spec.name)")
                let message = "nobody is signed in, and `\(spec.name)` needs an account"
                #expect(shellError?.message == message)
                #expect(shellError?.remedy == ShellError.signInRemedy)
                #expect(shellError?.exit == .notSignedIn)
            }
            #expect(world.cloud.requests.count == sent)
        }
    }

    @Test("The notification of a changed account enables the commands, and disables them again")
    func wakes() async throws {
        try await ShellWorld.run { world in
            let posts = PostCounter(world.cloud)
            #expect(await world.runner.run("note list").shellError?.code == "notAuthenticated")
            await world.type("as alice")
            #expect(posts.count == 1)
            #expect(await world.runner.run("note add Hello").shellError == nil)
            await world.type("sign-out", "sign-out")
            #expect(posts.count == 2)
            #expect(await world.runner.run("note list").shellError?.code == "notAuthenticated")
            #expect(await world.runner.run("alice@phone: note list").shellError == nil)
            #expect(posts.count == 4)
            #expect(await world.runner.run("note list").shellError?.code == "notAuthenticated")
            await world.type("as alice")
            let notes = await world.runner.run("note list")
            #expect(notes.rendering.data.contains("Hello"))
        }
    }

    @Test("Invalid arguments are reported first, and the help tells that an account is needed")
    func help() async throws {
        try await ShellWorld.run { world in
            #expect(await world.runner.run("note add").shellError?.code == "usage")
            let needing = await world.data("note add --help")
            #expect(needing.contains("  This command needs an account: sign in first.\n"))
            let open = await world.data("party list --help")
            #expect(!open.contains("needs an account"))
        }
    }
}

/// Counts the posts of `.CKAccountChanged` of a session.
private final class PostCounter: Sendable {
    private let posts = Atomic<Int>(0)

    init(_ session: CloudSession) {
        _ = NotificationCenter.default.addObserver(
            forName: .CKAccountChanged, object: session, queue: nil
        ) { [self] _ in posts.add(1, ordering: .relaxed) }
    }

    var count: Int { posts.load(ordering: .relaxed) }
}
