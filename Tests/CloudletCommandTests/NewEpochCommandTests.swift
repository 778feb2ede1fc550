import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The command cloudlet new-epoch")
struct NewEpochCommandTests {
    private let address = "postgresql://nobody:secret@127.0.0.1:1/none"

    @Test("It needs the address of a PostgreSQL database, which it does not repeat")
    func addresses() async throws {
        for arguments in [[], ["--database", "mysql://nobody:secret@host/name"]] {
            let end = try await Command(["new-epoch", "--yes"] + arguments).end()
            #expect(end.code == 2)
            #expect(end.errors.contains("postgresql://USER@HOST/NAME"))
            #expect(!end.errors.contains("secret"))
        }
    }

    @Test("Without --yes and a terminal, it changes nothing and says what it would do")
    func confirmation() async throws {
        let end = try await Command(["new-epoch", "--database", address]).end()
        #expect(end.code == 2)
        #expect(end.errors.contains("sign everybody out"))
        #expect(end.errors.contains("Add --yes to confirm it."))
    }

    @Test("An engine that does not answer is named, and errors can be JSON")
    func unreachable() async throws {
        let end = try await Command(["new-epoch", "--database", address, "--yes", "--json"]).end()
        #expect(end.code == 1)
        let error = try JSON(Array(end.errors.utf8))["error"]
        #expect(error["message"].text?.contains("the PostgreSQL database cannot be used") == true)
        #expect(error["remedy"].text?.contains("check the address") == true)
    }
}
