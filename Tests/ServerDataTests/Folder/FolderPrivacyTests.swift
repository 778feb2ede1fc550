import Foundation
import Testing

@testable import CloudletServer
@testable import ServerData
@testable import TestKit

@Suite("Owner and permissions of a data folder")
struct FolderPrivacyTests {
    @Test(
        "The state of a folder depends on its owner and permissions",
        arguments: [
            (0o700, 1000, 1000, FolderPrivacy.ownerOnly), (0o40700, 1000, 1000, .ownerOnly),
            (0o700, 0, 0, .ownerOnly),
            (0o755, 1000, 1000, .readableByOthers), (0o750, 1000, 1000, .readableByOthers),
            (0o701, 1000, 1000, .readableByOthers),
            (0o777, 0, 1000, .foreign(owner: 0)), (0o700, 1, 1000, .foreign(owner: 1)),
            (0o700, 1000, 0, .foreign(owner: 1000)),
        ])
    func decided(mode: Int, owner: Int, user: Int, expected: FolderPrivacy) {
        let privacy = FolderPrivacy(mode: mode_t(mode), owner: uid_t(owner), user: uid_t(user))
        #expect(privacy == expected)
    }

    @Test(
        "Root's server and commands create nothing in another user's folder, and name the user to run as",
        .enabled(if: geteuid() == 0))
    func foreign() async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        #expect(chown(folder.path, 4321, 4321) == 0)
        let error = await #expect(throws: ServerError.self) { try await CloudletServer.start(data: folder) }
        #expect(error?.reason == "the data folder \(folder.path) belongs to the user '#4321', not to root")
        #expect(error?.nextStep == "run the same command as that user: sudo -u '#4321' cloudlet …")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("doctor names the owner of another user's folder", .enabled(if: geteuid() == 0))
    func doctor() async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        await (try await CloudletServer.start(data: folder)).stop()
        #expect(chown(folder.path, 4321, 4321) == 0)
        let notes = DataCheck(of: folder).findings.filter { $0.text.contains("belongs to the user '#4321'") }
        #expect(notes.map(\.isProblem) == [false])
    }
}
