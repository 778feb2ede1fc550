import CloudletServer
import Foundation
import RecordStore
import Records
import Testing

@testable import ServerData
@testable import ServerKit
@testable import TestKit

@Suite("The mark of data that were moved", .timeLimit(.minutes(30)))
struct MovedDataTests {
    private let address = "postgresql://cloudlet@db/cloudlet"
    private let date = "2026-01-01T00:00:00Z"

    /// Runs a test with a folder whose data were moved to an engine and an object store.
    private func withMovedData(
        _ body: (
            _ folder: URL, _ data: URL, _ engine: EngineOfRows, _ bucket: FilesInFolders
        ) async throws -> Void
    ) async throws {
        try await withData { folder, world, _ in
            await world.stop()
            let data = folder.appendingPathComponent("data")
            let engine = EngineOfRows()
            let bucket = FilesInFolders(folder.appendingPathComponent("bucket"))
            let source = try FolderPlace(from: data, assetEngine: nil)
            _ = try await DataMigration.run(from: source, to: engine.place(assets: bucket))
            await source.close()
            try await body(folder, data, engine, bucket)
        }
    }

    /// The error of moving a folder to a place.
    private func refusal(of data: URL, to target: any DataPlace) async throws -> ServerError? {
        let source = try FolderPlace(from: data, assetEngine: nil)
        let error = await #expect(throws: ServerError.self) {
            _ = try await DataMigration.run(from: source, to: target)
        }
        await source.close()
        return error
    }

    @Test("A mark is read as it was written, with a target that contains spaces")
    func text() {
        let time = Timestamp(milliseconds: 1_767_225_600_123)
        for target in [address, "/srv/old data/again"] {
            let moved = MovedData(to: target, as: "ab12", at: time)
            #expect(moved.date == date)
            #expect(MovedData(text: moved.text + "\n") == moved)
        }
        #expect(MovedData(text: "data-moved 2026") == nil)
        #expect(MovedData(text: "") == nil)
    }

    @Test("A server refuses a folder whose data were moved, until the mark is deleted")
    func server() async throws {
        try await withMovedData { folder, data, _, _ in
            let mark = data.appendingPathComponent("data-moved")
            let error = await #expect(throws: ServerError.self) {
                _ = try await ServerWorld.start(.loopback) { $0.storage = .folder(data) }
            }
            #expect(
                error?.reason == "the data of the folder \(data.path) were moved to \(address) on \(date)")
            #expect(error?.nextStep.contains("cloudlet serve --data NEW --database \(address)") == true)
            #expect(error?.nextStep.contains("delete the file \(mark.path)") == true)

            // The folder can be checked and copied all the same.
            #expect(findings(data, deep: true) == [])
            let backup = folder.appendingPathComponent("backup")
            let copy = folder.appendingPathComponent("copy")
            _ = try DataBackup.make(of: data, at: backup)
            _ = try DataBackup.restore(backup, to: copy)
            let restored = try await ServerWorld.start(.loopback) { $0.storage = .folder(copy) }
            await restored.stop()

            try Data("illegible".utf8).write(to: mark)
            let unknown = await #expect(throws: ServerError.self) {
                _ = try await ServerWorld.start(.loopback) { $0.storage = .folder(data) }
            }
            #expect(
                unknown?.reason == "the data of the folder \(data.path) were moved to another place")
            try FileManager.default.removeItem(at: mark)
            let world = try await ServerWorld.start(.loopback) { $0.storage = .folder(data) }
            await world.stop()
        }
    }

    @Test("A second move to the same place says when the first one was, and what to do")
    func twice() async throws {
        try await withMovedData { folder, data, engine, bucket in
            let moved = "the data of \(data.path) were moved to \(address) on \(date)"
            let error = try await refusal(of: data, to: engine.place(assets: bucket))
            #expect(error?.reason == "\(moved) already, and the engine has them")
            #expect(error?.nextStep.contains("cloudlet serve --data NEW --database \(address)") == true)

            // Without the mark, for example of an earlier version, the data tell it.
            try FileManager.default.removeItem(at: data.appendingPathComponent("data-moved"))
            let unmarked = try await refusal(of: data, to: engine.place(assets: bucket))
            #expect(
                unmarked?.reason == "the engine has data of the same server as \(data.path) already")
        }
    }

    @Test("A second move to another server's database, or back into the old folder, is told apart")
    func elsewhere() async throws {
        try await withMovedData { folder, data, engine, bucket in
            let otherData = folder.appendingPathComponent("other-data")
            let stranger = try await ServerWorld.start(.loopback) {
                $0.storage = .folder(otherData)
                // Its secrets are others.
                $0.seed = 2
            }
            _ = try await stranger.signIn("bob")
            await stranger.stop()
            let other = EngineOfRows()
            let source = try FolderPlace(from: otherData, assetEngine: nil)
            _ = try await DataMigration.run(from: source, to: other.place())
            await source.close()
            let error = try await refusal(of: data, to: other.place())
            #expect(
                error?.reason == "the engine has data of another server; those of \(data.path) were moved "
                    + "to \(address) on \(date)")

            let old = try FolderPlace(to: data)
            let back = await #expect(throws: ServerError.self) {
                _ = try await DataMigration.run(from: engine.place(assets: bucket), to: old)
            }
            #expect(
                back?.reason
                    == "\(data.path) has the data from before they were moved to \(address) on \(date)")
            #expect(try old.moved?.target == address)
            await old.close()

            // A new folder has no mark, and the old one keeps its own.
            let new = try FolderPlace(to: folder.appendingPathComponent("new"))
            _ = try await DataMigration.run(from: engine.place(assets: bucket), to: new)
            #expect(try new.moved == nil)
            await new.close()
            #expect(try DataFolder.movedData(in: data)?.target == address)
        }
    }

    /// Deletes the databases and files of a folder, and keeps its marks.
    private func empty(_ data: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: data.path)
        where name == "containers" || name.hasPrefix("directory.sqlite") {
            try FileManager.default.removeItem(at: data.appendingPathComponent(name))
        }
    }

    @Test("Data are moved back to the old folder after it was emptied, and a server uses it")
    func emptied() async throws {
        try await withMovedData { folder, data, engine, bucket in
            try empty(data)
            let mark = data.appendingPathComponent("data-moved")
            #expect(FileManager.default.fileExists(atPath: mark.path))
            let old = try FolderPlace(to: data)
            await #expect(throws: CancellationError.self) {
                _ = try await DataMigration.run(
                    from: engine.place(assets: bucket), to: StumblingPlace(old, at: nil))
            }
            // The mark stays until everything was copied.
            #expect(FileManager.default.fileExists(atPath: mark.path))
            let report = try await DataMigration.run(from: engine.place(assets: bucket), to: old)
            #expect(report.files == 6)
            #expect(!FileManager.default.fileExists(atPath: mark.path))
            await old.close()
            #expect(findings(data, deep: true) == [])
            let world = try await ServerWorld.start(.loopback) { $0.storage = .folder(data) }
            await world.stop()
        }
    }

    @Test("An emptied folder whose server kept the files in an object store gets no copy")
    func emptiedWithObjectStore() async throws {
        try await withMovedData { folder, data, engine, bucket in
            try empty(data)
            try Data("ab12\n".utf8).write(to: data.appendingPathComponent("assets-in-object-store"))
            let old = try FolderPlace(to: data)
            let error = await #expect(throws: ServerError.self) {
                _ = try await DataMigration.run(from: engine.place(assets: bucket), to: old)
            }
            await old.close()
            #expect(error?.nextStep.contains("name an empty place with --to") == true)
            #expect(!DataFolder.hasDirectory(data))
        }
    }

    @Test(
        "A mark that cannot be read is named, and nothing is moved",
        arguments: ["illegible", "", String(repeating: "x", count: 20_000), "linked"])
    func illegible(text: String) async throws {
        try await withMovedData { folder, data, engine, bucket in
            let mark = data.appendingPathComponent("data-moved")
            if text == "linked" {
                let link = folder.appendingPathComponent("link")
                try FileManager.default.linkItem(at: mark, to: link)
            } else {
                try Data(text.utf8).write(to: mark)
            }
            for target in [EngineOfRows(), engine] {
                let error = try await refusal(of: data, to: target.place(assets: bucket))
                let start = "the file \(mark.path), which marks data that were moved, cannot be read: "
                #expect(error?.reason.hasPrefix(start) == true)
                #expect(error?.nextStep.contains("delete the file") == true)
            }
        }
    }

    @Test("Old data are moved once more only after the mark is deleted")
    func again() async throws {
        try await withMovedData { folder, data, _, _ in
            let bucket = FilesInFolders(folder.appendingPathComponent("other"))
            let other = EngineOfRows()
            let error = try await refusal(of: data, to: other.place(assets: bucket))
            #expect(error?.reason == "the data of \(data.path) were moved to \(address) on \(date)")
            #expect(error?.nextStep.contains("--from \(address)") == true)
            #expect(try await other.bind(to: nil) == nil)
            try FileManager.default.removeItem(at: data.appendingPathComponent("data-moved"))
            let source = try FolderPlace(from: data, assetEngine: nil)
            let report = try await DataMigration.run(from: source, to: other.place(assets: bucket))
            await source.close()
            #expect(report.files == 6)
        }
    }

    @Test("A move that stopped after the mark is completed by the same call, and no other")
    func stopped() async throws {
        try await withData { folder, world, _ in
            await world.stop()
            let data = folder.appendingPathComponent("data")
            let engine = EngineOfRows()
            let bucket = FilesInFolders(folder.appendingPathComponent("bucket"))
            let source = try FolderPlace(from: data, assetEngine: nil)
            await #expect(throws: CancellationError.self) {
                _ = try await DataMigration.run(
                    from: source, to: StumblingPlace(engine.place(assets: bucket), at: nil))
            }
            #expect(try source.moved?.target == address)
            let other = EngineOfRows()
            await #expect(throws: ServerError.self) {
                _ = try await DataMigration.run(from: source, to: other.place(assets: bucket))
            }
            #expect(try await other.bind(to: nil) == nil)
            _ = try await DataMigration.run(from: source, to: engine.place(assets: bucket))
            #expect(try await engine.bind(to: nil)?.hasDirectory == true)
            await source.close()
        }
    }
}
