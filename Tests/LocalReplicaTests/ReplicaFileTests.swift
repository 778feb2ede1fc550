import Foundation
import Records
import Synchronization
import Testing

@testable import LocalReplica
@testable import TestKit

@Suite("The asset files of a replica")
struct ReplicaFileTests {
    private struct FlushFailure: Error {}

    private func bill(_ asset: Asset) -> ReplicaRecord {
        var bill = ReplicaRecord(type: "Bill", id: RecordID(name: "b", zone: "Bills"))
        bill[field: "photo"] = .asset(asset)
        return bill
    }

    @Test("Stored files are flushed once, all before the folder")
    func order() async throws {
        try await withFolder { folder in
            let flushed = Mutex<[String]>([])
            let place = folder.appendingPathComponent("files")
            let files = ReplicaFiles(
                place,
                fileSystem: FileSystemCalls { url in flushed.withLock { $0.append(url.lastPathComponent) } }
            )
            var assets: [Asset] = []
            for name in ["a", "b"] {
                let file = folder.appendingPathComponent(name)
                try Data(name.utf8).write(to: file)
                assets.append(try files.keep(file))
            }
            #expect(flushed.withLock(\.self) == [])
            try files.flush()
            let names = assets.compactMap { files.existingFile(of: $0)?.lastPathComponent }
            #expect(Set(flushed.withLock { $0.prefix(2) }) == Set(names))
            #expect(flushed.withLock { Array($0.dropFirst(2)) } == ["files"])
            try files.flush()
            #expect(flushed.withLock(\.count) == 3)
            // A process may have written the file and ended before it was flushed.
            _ = try files.keep(folder.appendingPathComponent("a"))
            try files.flush()
            #expect(flushed.withLock(\.count) == 5)
        }
    }

    @Test("A file whose flush failed is written again, because a second flush may not write it")
    func failedFlush() async throws {
        try await withFolder { folder in
            let fails = Mutex(true)
            let files = ReplicaFiles(
                folder.appendingPathComponent("files"),
                fileSystem: FileSystemCalls { _ in if fails.withLock(\.self) { throw FlushFailure() } })
            let content = Data("picture".utf8)
            let asset = try files.keep(content)
            let place = try #require(files.existingFile(of: asset))
            func number() throws -> NSNumber? {
                try FileManager.default.attributesOfItem(atPath: place.path)[.systemFileNumber] as? NSNumber
            }
            let first = try number()
            #expect(throws: FlushFailure.self) { try files.flush() }
            fails.withLock { $0 = false }
            try files.flush()
            let second = try number()
            #expect(second != first)
            try files.flush()
            #expect(try number() == second)
            // The system has lost what it failed to write.
            fails.withLock { $0 = true }
            _ = try files.keep(content)
            #expect(throws: FlushFailure.self) { try files.flush() }
            fails.withLock { $0 = false }
            let handle = try FileHandle(forWritingTo: place)
            try handle.write(contentsOf: Data(repeating: 0, count: content.count))
            try handle.close()
            #expect(throws: ReplicaError.self) { try files.flush() }
            #expect(throws: ReplicaError.self) { try files.flush() }
            #expect(try files.keep(content) == asset)
            try files.flush()
            #expect(try Data(contentsOf: place) == content)
        }
    }

    @Test(
        "A checksum that is a path finds no file, whatever its size",
        arguments: ["..", ".", "", "/", "../outside", "a/../../outside"])
    func pathChecksums(checksum: String) async throws {
        try await withFolder { folder in
            let outside = folder.appendingPathComponent("outside")
            try Data("secret".utf8).write(to: outside)
            let place = folder.appendingPathComponent("files")
            let files = ReplicaFiles(place, fileSystem: nil)
            _ = try files.keep(outside)
            for item in [folder, place, outside] {
                let attributes = try FileManager.default.attributesOfItem(atPath: item.path)
                let size = try #require(attributes[.size] as? NSNumber).int64Value
                #expect(files.existingFile(of: Asset(fileChecksum: checksum, size: size)) == nil)
            }
        }
    }

    @Test("A record is committed only after its file was flushed")
    func failure() async throws {
        try await withFolder { folder in
            let fails = Mutex(true)
            let replica = try LocalReplica(
                folder: folder.appendingPathComponent("replica"),
                fileSystem: FileSystemCalls { _ in if fails.withLock(\.self) { throw FlushFailure() } })
            let file = folder.appendingPathComponent("a")
            try Data("a".utf8).write(to: file)
            let bill = bill(try replica.keepFile(at: file))
            await #expect(throws: ReplicaError.self) { try await replica.write { try $0.save(bill) } }
            let lost = try await replica.read { try $0.record(bill.id) }
            #expect(lost == nil)
            fails.withLock { $0 = false }
            try await replica.write { try $0.save(bill) }
            #expect(try await replica.read { try $0.record(bill.id) } == bill)
            try replica.close()
        }
    }

    @Test("An empty or truncated file counts as missing, and can be stored again", arguments: [0, 3])
    func damaged(size: UInt64) async throws {
        try await withFolder { folder in
            let home = folder.appendingPathComponent("replica")
            let file = folder.appendingPathComponent("a")
            try Data("picture".utf8).write(to: file)
            let first = try LocalReplica(folder: home)
            let asset = try first.keepFile(at: file)
            let bill = bill(asset)
            try await first.write { try $0.save(bill) }
            let handle = try FileHandle(forWritingTo: try #require(first.file(of: asset)))
            try handle.truncate(atOffset: size)
            try handle.close()
            try first.close()
            let second = try LocalReplica(folder: home)
            #expect(second.file(of: asset) == nil)
            // A file that was never sent cannot be fetched.
            #expect(try await second.recordsWithMissingFiles() == [:])
            try await second.write { writer in
                let fields = try writer.reader.row(bill.id)?.fields ?? Fields()
                try writer.replace(
                    with: [
                        ServerVersion(
                            id: bill.id, type: "Bill", tag: "1", systemFields: Data(), fields: fields)
                    ],
                    in: "Bills")
            }
            #expect(try await second.recordsWithMissingFiles() == [bill.id: 7])
            #expect(try second.keepFile(at: file) == asset)
            #expect(try await second.recordsWithMissingFiles() == [:])
            #expect(try Data(contentsOf: try #require(second.file(of: asset))) == Data("picture".utf8))
            try second.close()
        }
    }

    @Test("A file that is not a database counts as damaged, and the error has a next step")
    func damagedDatabase() async throws {
        try await withFolder { folder in
            let home = folder.appendingPathComponent("replica")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            let file = home.appendingPathComponent("replica.sqlite")
            try Data(repeating: 1, count: 4096).write(to: file)
            let error = #expect(throws: ReplicaError.self) { try LocalReplica(folder: home) }
            #expect(error?.code == .damaged)
            #expect(error?.nextStep.contains("the next sync fetches the records") == true)
        }
    }

    private func mode(_ place: URL) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: place.path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test("Other users can read neither the database nor the files, also those of an older version")
    func hidden() async throws {
        try await withFolder { folder in
            let home = folder.appendingPathComponent("person")
            let files = home.appendingPathComponent("files")
            let file = folder.appendingPathComponent("a")
            try Data("picture".utf8).write(to: file)
            let names = ["replica.sqlite", "replica.sqlite-wal", "replica.sqlite-shm"]
            for isOlder in [false, true] {
                let replica = try LocalReplica(folder: home)
                let bill = bill(try replica.keepFile(at: file))
                try await replica.write { try $0.save(bill) }
                if !isOlder { #expect(try mode(home) == 0o700) }
                #expect(try mode(files) == 0o700)
                for name in names { #expect(try mode(home.appendingPathComponent(name)) == 0o600) }
                try replica.close()
                _ = chmod(files.path, 0o755)
                _ = chmod(home.appendingPathComponent(names[0]).path, 0o644)
                _ = chmod(home.path, 0o755)
            }
        }
    }
}
