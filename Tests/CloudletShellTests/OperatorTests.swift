import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@Suite("The operator at the shell")
struct OperatorTests {
    @Test("`why` shows the rule for types, parties and records to everybody")
    func why() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "party create Coffee", "record save Note n text=x", "why read Coffee",
                "expect by = _world", "why write n", "expect by = _creator", "expect record = n",
                "as bob", "why write Coffee", "expect allowed = false", "expect granted = _creator",
                "why write n", "expect allowed = false", "why write Party", "expect by = _creator",
                "sign-out", "why create Party", "expect held = _world", "expect allowed = false"
            )
            #expect(outcomes.compactMap(\.shellError).isEmpty)
            let messages = outcomes[9].rendering.messages
            let rule = "WRITE on Party is granted to _creator"
            #expect(messages == "refused: \(rule), and the caller holds _world, _icloud\n")
        }
    }

    @Test("the prompt and the status show the container and the environment")
    func place() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "container create iCloud.org.example.x", "container use iCloud.org.example.x",
                "environment production", "status", "expect container = iCloud.org.example.x",
                "expect environment = production"
            )
            #expect(outcomes.compactMap(\.shellError).isEmpty)
            #expect(await world.prompt == "iCloud.org.example.x PRODUCTION alice@phone> ")
            await world.type("container use iCloud.org.cloudlet.ClownCentral", "environment development")
            #expect(await world.prompt == "development alice@phone> ")
        }
    }

    @Test("numbers are stored as numbers, and a field without a value is removed")
    func values() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "record save Note n whole=4 real=0.5 text=four", "record save Note n text=",
                "record show n", "expect whole = 4", "expect real = 0.5", "record save Note m whole=four",
                "expect error invalidArguments", "record save Note m real=four",
                "expect error invalidArguments"
            )
            #expect(
                outcomes.map { $0.shellError?.code }.compactMap { $0 } == [
                    "invalidArguments", "invalidArguments",
                ])
            #expect(outcomes[3].rendering.data.contains("four") == false)
        }
    }

    @Test("unknown roles, types and permissions are refused with their codes")
    func refused() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "schema grant Nothing create _icloud", "role grant Nobody alice",
                "why own Party", "environment elsewhere", "record save Note n x"
            )
            let codes = outcomes.map { $0.shellError?.code }
            #expect(codes == [nil, "notFound", "notFound", "usage", "usage", "usage"])
            let later = await world.type(
                "record save Note n x=1", "schema grant Nothing create _icloud", "role grant Nobody alice")
            #expect(later.map { $0.shellError?.code } == [nil, "notFound", "notFound"])
            #expect(later[2].shellError?.remedy?.contains("CREATE ROLE Nobody") == true)
        }
    }
}
