import AssetStore
import Foundation
import NIOCore
import Records
import Testing

@testable import TestKit

@Suite("Asset store reading")
struct AssetReadingTests {
    @Test("A file is read in order, in chunks of bounded size")
    func chunks() async throws {
        try await withAssetWorld { world in
            let text = String(repeating: "0123456789abcdef", count: 40_000)
            let upload = try await world.receive([text], limit: 1_000_000)
            try await world.store.adopt(upload)
            world.owners.add(upload.fileChecksum)
            await world.store.commit(upload)
            var sizes: [Int] = []
            for try await chunk in try await world.store.open(upload.fileChecksum).chunks() {
                sizes.append(chunk.readableBytes)
            }
            #expect(sizes == [524_288, 115_712])
            #expect(try await world.read(upload.fileChecksum) == text)
        }
    }

    @Test(
        "A range of a file can be read",
        arguments: [
            0..<0, 0..<3, 2..<5, 9..<10, 10..<10,
        ] as [Range<Int64>])
    func ranges(_ range: Range<Int64>) async throws {
        try await withAssetWorld { world in
            let checksum = try await world.save("0123456789")
            let expected = String("0123456789".dropFirst(Int(range.lowerBound)).prefix(range.count))
            #expect(try await world.read(checksum, in: range) == expected)
        }
    }

    @Test("A range outside of the file is refused", arguments: [-1..<3, 5..<11, 11..<12] as [Range<Int64>])
    func badRanges(_ range: Range<Int64>) async throws {
        try await withAssetWorld { world in
            let checksum = try await world.save("0123456789")
            let error = await #expect(throws: RecordError.self) { try await world.read(checksum, in: range) }
            #expect(error?.code == .badRequest)
        }
    }

    @Test("A truncated file is reported before the first byte")
    func truncated() async throws {
        try await withAssetWorld { world in
            let checksum = try await world.save("abcdef")
            try await world.tamper(world.files(in: "content")[0], with: "abc")
            let error = await #expect(throws: RecordError.self) {
                try await world.store.open(checksum, expectedSize: 6)
            }
            #expect(error?.code == .internalError)
            await #expect(throws: RecordError.self) { try await world.store.verify(checksum) }
        }
    }

    @Test("A modified file is never read completely")
    func changed() async throws {
        try await withAssetWorld { world in
            let checksum = try await world.save("abcdef")
            try await world.tamper(world.files(in: "content")[0], with: "abcdeF")
            let error = await #expect(throws: RecordError.self) {
                try await world.read(checksum, expectedSize: 6)
            }
            #expect(error?.culprit == checksum)
            await #expect(throws: RecordError.self) {
                try await world.store.verify(checksum, expectedSize: 6)
            }
        }
    }

    @Test("The next upload of the same content replaces a truncated file")
    func healed() async throws {
        try await withAssetWorld { world in
            let checksum = try await world.save("abcdef")
            try await world.tamper(world.files(in: "content")[0], with: "abc")
            #expect(try await world.save("abcdef") == checksum)
            #expect(try await world.read(checksum, expectedSize: 6) == "abcdef")
        }
    }

    @Test("A modified file of the same size is not offered, and the next upload replaces it")
    func healedChange() async throws {
        try await withAssetWorld { world in
            let checksum = try await world.save("abcdef")
            let now = AssetWorld.now
            let early = try #require(try await world.store.offer(checksum, size: 6, now: now))
            try await world.tamper(world.files(in: "content")[0], with: "abcdeF")
            #expect(try await world.store.offer(checksum, size: 6, now: now) == nil)
            #expect(try await world.save("abcdef") == checksum)
            #expect(try await world.read(checksum, expectedSize: 6) == "abcdef")
            // The upload that was offered before is a hard link to the damaged file, and must not replace the
            // new one.
            try await world.store.adopt(early)
            world.owners.add(checksum)
            await world.store.commit(early)
            #expect(try await world.read(checksum, expectedSize: 6) == "abcdef")
            #expect(try await world.store.offer(checksum, size: 6, now: now) != nil)
            await world.store.discardUploads(receivedBefore: now.advanced(bySeconds: 1))
            #expect(try await world.files(in: "content").count == 1)
            #expect(try await world.files(in: "incoming") == [])
        }
    }

    @Test("A modified incoming file is refused when a record adopts it")
    func changedIncoming() async throws {
        try await withAssetWorld { world in
            let upload = try await world.receive("abcdef")
            try await world.tamper(world.files(in: "incoming")[0], in: "incoming", with: "abc")
            let error = await #expect(throws: RecordError.self) { try await world.store.adopt(upload) }
            #expect(error?.code == .assetRejected)
            try await world.collect()
        }
    }

    @Test(
        "A malformed checksum is refused before it becomes a path",
        arguments: [
            "", "../../etc/passwd", "AeOwxEKY/BwUmvv0yJlvuSQnrkH", "AeOwxEKY/BwUmvv0yJlvuSQnrkHk=",
            "AuOwxEKY/BwUmvv0yJlvuSQnrkHk", "AeOwxEKY/BwUmvv0yJlvuSQnrkHkAA==",
            "AeOwxEKY-BwUmvv0yJlvuSQnrkHk",
        ])
    func strangeChecksums(_ text: String) async throws {
        try await withAssetWorld { world in
            let error = await #expect(throws: RecordError.self) { try await world.store.open(text) }
            #expect(error?.code == .badRequest)
            try await world.collect([text])
        }
    }

    @Test("A missing file is not found")
    func missing() async throws {
        try await withAssetWorld { world in
            let error = await #expect(throws: RecordError.self) {
                try await world.store.open(AssetStoreTests.abc)
            }
            #expect(error?.code == .notFound)
        }
    }

    @Test("An open file can be read to its end after it was collected")
    func readDuringCollection() async throws {
        try await withAssetWorld { world in
            let checksum = try await world.save("abcdef")
            do {
                let file = try await world.store.open(checksum)
                try await world.delete(checksum)
                var bytes = ByteBuffer()
                for try await chunk in try file.chunks() { bytes.writeImmutableBuffer(chunk) }
                #expect(String(buffer: bytes) == "abcdef")
            }
            // A bucket cannot keep an open object, so the collection waited.
            try await world.collect()
            #expect(try await world.files(in: "content") == [])
        }
    }

    @Test("A start deletes unfinished uploads, and keeps the files that records own")
    func recovery() async throws {
        try await withAssetWorld { world in
            let kept = try await world.save("kept")
            let saved = try await world.receive("saved, not committed")
            try await world.store.adopt(saved)
            world.owners.add(saved.fileChecksum)
            let lost = try await world.receive("adopted, never saved")
            try await world.store.adopt(lost)
            _ = try await world.receive("received, never adopted")
            try await world.tamper(world.uploadPrefix + "upload-99", in: "incoming", with: "broken off")

            let next = world.restarted()
            try await next.store.recover { world.owners.owns($0) }
            // Other nodes may adopt what is in a bucket.
            let complete = world.folder == nil ? 3 : 0
            #expect(try await world.files(in: "incoming").count == complete)
            #expect(try await next.read(kept) == "kept")
            #expect(try await next.read(saved.fileChecksum) == "saved, not committed")
            #expect(try await world.files(in: "content").count == 2)
            #expect(try await world.files(in: "marks") == [])

            await world.store.commit(saved)
            await world.store.commit(lost)
        }
    }

    @Test("A start without any files succeeds, and creates no folder")
    func emptyRecovery() async throws {
        try await withAssetWorld { world in
            try await world.store.recover { _ in false }
            if let folder = world.folder { #expect(!FileManager.default.fileExists(atPath: folder.path)) }
        }
    }

    @Test(
        "A store whose folder is a link does not start, and changes nothing behind the link",
        arguments: ["", "incoming", "content", "content/ab"])
    func linkedFolders(name: String) async throws {
        try await withFolderWorld { world, folder in
            let files = FileManager.default
            let victim = folder.deletingLastPathComponent().appendingPathComponent("victim-\(UUID())")
            defer { victim.remove() }
            try files.createDirectory(at: victim, withIntermediateDirectories: true)
            try Data("key".utf8).write(to: victim.appendingPathComponent("id_ed25519"))
            let link = name.isEmpty ? folder : folder.appendingPathComponent(name)
            try files.createDirectory(
                at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
            try files.createSymbolicLink(at: link, withDestinationURL: victim)
            defer { link.remove() }
            await #expect(throws: RecordError.self) { try await world.store.recover { _ in false } }
            #expect(try files.contentsOfDirectory(atPath: victim.path) == ["id_ed25519"])
        }
    }

    @Test("A start keeps other files in `incoming`, and follows no links")
    func foreignFiles() async throws {
        try await withFolderWorld { world, folder in
            let checksum = try await world.save("kept")
            try await world.tamper("..hidden", in: "incoming", with: "somebody's")
            try await world.store.recover { world.owners.owns($0) }
            #expect(try await world.files(in: "incoming") == ["..hidden"])
            let file = try #require(AssetFolder(folder).place(of: checksum))
            let moved = file.appendingPathExtension("moved")
            try FileManager.default.moveItem(at: file, to: moved)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: moved)
            await #expect(throws: RecordError.self) { try await world.store.open(checksum) }
        }
    }
}
