import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@MainActor
@Suite("Signing in at the shell")
struct SignInTests {
    private func passwordFile(_ text: String, in world: ShellWorld) throws -> String {
        let file = world.folder.appendingPathComponent("password-\(text.count).txt")
        try Data((text + "\nsecond line\n").utf8).write(to: file)
        return file.path
    }

    @Test("A closed server lets in who has the password, and nobody by name alone")
    func closed() async throws {
        try await ShellWorld.run(isClosed: true) { world in
            let wrong = try passwordFile("wrong", in: world)
            let right = try passwordFile("correct horse", in: world)
            for line in ["as paul", "sign-in paul", "sign-in paul --password-file \(wrong)"] {
                let outcome = await world.runner.run(line)
                #expect(outcome.shellError?.exit == .notSignedIn, "\(line)")
            }
            let byName = await world.runner.run("as paul").shellError
            #expect(byName?.remedy == "sign-in paul, in place of `as` or --as")
            let refused = await world.type("zone fill Jokes 2").first
            #expect(refused?.shellError?.code == "notAuthenticated")
            let signIn = await world.type(
                "sign-in paul --password-file \(right)", "expect account = available",
                "zone fill Jokes 2", "zone fetch Jokes", "expect new = 2", "sign-out", "status",
                "expect account = noAccount")
            #expect(signIn.allSatisfy { $0.shellError == nil })
            let none = await world.type("sign-in paul --password-file /no/such/file").first
            #expect(none?.shellError?.exit == .usage)
        }
    }

    @Test("A closed server gets no request to sign in without a password")
    func noAttemptWithoutPassword() async throws {
        try await ShellWorld.run(isClosed: true) { world in
            let before = world.cloud.requests.count
            let outcome = await world.runner.run("sign-in paul")
            #expect(outcome.shellError?.exit == .notSignedIn)
            #expect(outcome.rendering.messages.contains("signing in as paul requires a password"))
            #expect(world.cloud.requests.count == before)
        }
        try await ShellWorld.run(
            isClosed: true,
            ask: { question, isSecret in
                question == "password of paul: " && isSecret ? "correct horse" : nil
            }
        ) { world in
            let outcomes = await world.type("sign-in paul", "expect account = available")
            #expect(outcomes.allSatisfy { $0.shellError == nil })
        }
        // An open server is asked by name alone, as the person did.
        try await ShellWorld.run { world in
            #expect(await world.runner.run("sign-in paul").shellError == nil)
        }
    }

    @Test("If the server is unreachable, the previous person stays signed in", arguments: ["off", "dead"])
    func unreachable(network: String) async throws {
        try await ShellWorld.run(isClosed: true) { world in
            let right = try passwordFile("correct horse", in: world)
            await world.type("sign-in paul --password-file \(right)", "network \(network)")
            for line in ["sign-in ann", "sign-in ann --password-file \(right)"] {
                let outcome = await world.runner.run(line)
                #expect(outcome.shellError?.exit == .failed, "\(line)")
                #expect(outcome.shellError?.remedy == "network on", "\(line)")
                #expect(await world.cloud.context.person == "paul")
            }
            let back = await world.type("network on", "zone fill Jokes 2", "status", "expect person = paul")
            #expect(back.allSatisfy { $0.shellError == nil })
        }
    }

    @Test("Commands for development servers are refused elsewhere, with the next step")
    func development() async throws {
        try await ShellWorld.run(isClosed: true) { world in
            let right = try passwordFile("correct horse", in: world)
            await world.type("sign-in paul --password-file \(right)")
            for line in ["profile given=Paul", "request-rate 5"] {
                let shellError = await world.runner.run(line).shellError
                #expect(shellError?.code == "refused", "\(line)")
                #expect(shellError?.remedy != nil)
            }
        }
    }

    @Test("An invalid value of a profile is refused with the server's own next step")
    func profile() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice")
            let shellError = await world.runner.run("profile password=x").shellError
            #expect(shellError?.code == "refused")
            #expect(shellError?.message.contains("password") == true)
            #expect(shellError?.remedy == "choose one of this length, of several words for instance")
        }
    }

    @Test(
        "An invalid argument has the exit code of usage",
        arguments: [
            "profile nickname=Bo", "profile email", "discoverable maybe", "discoverable ask --answer perhaps",
            "request-rate none", "request-rate 0", "runaway 0", "runaway many", "contact add Bob",
            "server-key abc", "address prove bob --share http://localhost/share/x",
            "address prove bob@example.org", "address prove bob@example.org --share nothing",
            "address prove bob@example.org --share http://localhost/share/x --code 1",
        ])
    func usage(line: String) async throws {
        try await ShellWorld.run { world in
            await world.type("as alice")
            #expect(await world.runner.run(line).shellError?.exit == .usage)
        }
    }

    @Test("Without a signed-in person, commands about people are refused")
    func nobody() async throws {
        try await ShellWorld.run { world in
            for line in [
                "friends", "discover a@b.c", "discoverable show", "discoverable yes",
                "contact add Bob bob@example.org", "profile given=Bob",
                "address prove bob@example.org --code 12345678",
            ] {
                #expect(await world.runner.run(line).shellError?.code == "notAuthenticated", "\(line)")
            }
        }
    }

    @Test("A file without a private key is refused")
    func keyFile() async throws {
        try await ShellWorld.run { world in
            let file = world.folder.appendingPathComponent("key.pem")
            try Data("no key".utf8).write(to: file)
            let outcome = await world.runner.run("server-key abc --file \(file.path)")
            #expect(outcome.shellError?.code == "invalidArguments")
        }
    }
}
