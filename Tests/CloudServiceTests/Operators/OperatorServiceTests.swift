import CloudletServer
import Records
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Sessions of operators at several nodes", .timeLimit(.minutes(30)))
struct OperatorServiceTests {
    @Test("A password that another node sets, or a removal there, ends the operator's sessions here")
    func otherNode() async throws {
        try await withServer(.loopback, { $0.passwordCost = .quick }) { world in
            let (here, people) = (world.service.operators, world.service.people)
            let other = OperatorService(world.service.context, passwords: people.passwords)
            func signIn() async throws -> String {
                try await here.signIn(
                    SignInAttempt(
                        name: "boss", password: "correct horse", staysSignedIn: false, address: nil))
            }
            _ = try await here.set(.admin, of: "boss", in: nil, password: "correct horse")
            let first = try await signIn()
            _ = try await other.set(.viewer, of: "boss", in: nil, password: nil)
            let viewer = try await here.visitor(first)
            #expect(viewer?.account.role == .viewer)
            _ = try await other.set(.admin, of: "boss", in: nil, password: "correct horse")
            let afterChange = try await here.visitor(first)
            #expect(afterChange == nil)
            let second = try await signIn()
            let admin = try await here.visitor(second)
            #expect(admin?.account.role == .admin)
            try await other.remove("boss")
            _ = try await other.set(.admin, of: "boss", in: nil, password: "correct horse")
            let afterRemoval = try await here.visitor(second)
            #expect(afterRemoval == nil)
        }
    }
}
