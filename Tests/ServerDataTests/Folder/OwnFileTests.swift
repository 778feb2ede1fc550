import Foundation
import Testing

@testable import CloudletServer
@testable import ServerData
@testable import TestKit

@Suite("Opening files of a data folder")
struct OwnFileTests {
    private let folder: URL

    init() throws {
        folder = try URL.newFolder()
    }

    private func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    @Test("Only short, regular files of this user with one hard link are opened")
    func opened() throws {
        defer { folder.remove() }
        try Data("text".utf8).write(to: file("own"))
        #expect(try OwnedFile.text(of: file("own"), atMost: 4) == "text")
        #expect(throws: OwnedFile.Failure.unusable) { try OwnedFile.text(of: file("own"), atMost: 3) }
        #expect(throws: OwnedFile.Failure.missing) { try OwnedFile.text(of: file("none")) }
        try FileManager.default.createSymbolicLink(at: file("link"), withDestinationURL: file("own"))
        try FileManager.default.createDirectory(at: file("folder"), withIntermediateDirectories: true)
        #expect(mkfifo(file("pipe").path, 0o600) == 0)
        for name in ["link", "folder", "pipe"] {
            #expect(throws: OwnedFile.Failure.foreign, "\(name)") {
                try OwnedFile.text(of: file(name), allowsOtherOwners: true)
            }
        }
        try FileManager.default.linkItem(at: file("own"), to: file("second"))
        #expect(throws: OwnedFile.Failure.foreign) { try OwnedFile.text(of: file("own")) }
        #expect(try OwnedFile.text(of: file("own"), allowsOtherOwners: true) == "text")
    }

    @Test("A file of another user is not opened", .enabled(if: geteuid() == 0))
    func owner() throws {
        defer { folder.remove() }
        try Data("text".utf8).write(to: file("own"))
        #expect(chown(file("own").path, 4321, 4321) == 0)
        #expect(throws: OwnedFile.Failure.foreign) { try OwnedFile.text(of: file("own")) }
    }

    @Test(
        "A folder in which a file of the layout is a link is refused before anything is done to it",
        arguments: ["cloudlet.lock", "operator.key", "format", "directory.sqlite", "containers"])
    func link(name: String) async throws {
        let target = URL.unused()
        defer { for url in [folder, target] { url.remove() } }
        try Data("kept".utf8).write(to: target)
        try FileManager.default.createSymbolicLink(at: file(name), withDestinationURL: target)
        #expect(chmod(folder.path, 0o755) == 0)
        let error = await #expect(throws: ServerError.self) { try await CloudletServer.start(data: folder) }
        #expect(error?.code == .folderUnusable)
        #expect(error?.reason.contains("\(name) in the data folder") == true)
        #expect(try Data(contentsOf: target) == Data("kept".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
        #expect(FolderPrivacy(of: folder) == .readableByOthers)
    }

    @Test("A key file without a key is neither used nor replaced")
    func key() async throws {
        defer { folder.remove() }
        try Data("password of something else\n".utf8).write(to: file("operator.key"))
        #expect(OperatorAccess(dataFolder: folder).key == nil)
        try Data().write(to: file("cloudlet.lock"))
        let error = await #expect(throws: ServerError.self) { try await CloudletServer.start(data: folder) }
        #expect(error?.reason.contains("contains no operator's key") == true)
        #expect(try Data(contentsOf: file("operator.key")).count == 27)
    }
}
