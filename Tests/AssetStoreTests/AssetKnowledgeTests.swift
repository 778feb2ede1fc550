import Crypto
import Foundation
import Testing

@testable import AssetStore

@Suite("Files known to be intact")
struct AssetKnowledgeTests {
    private let content = AssetChecksum(SHA256.hash(data: [1]))
    private let seen = VerifiedFiles.Attributes(
        identity: VerifiedFiles.Identity(number: 1, size: 2, changedAt: 1000),
        seenAt: 1000 + VerifiedFiles.timestampResolution + 1
    )

    @Test("A file with the attributes that it had when it was hashed is known")
    func known() {
        var known = VerifiedFiles()
        #expect(!known.contains(content, seen))
        known.record(content, seen)
        #expect(known.contains(content, seen))
        #expect(!known.contains(AssetChecksum(SHA256.hash(data: [2])), seen))
    }

    @Test("A file with another inode, size or modification time is unknown")
    func changed() {
        var known = VerifiedFiles()
        known.record(content, seen)
        var strangers = [seen, seen, seen]
        strangers[0].identity.number = 3
        strangers[1].identity.size = 3
        strangers[2].identity.changedAt = 1001
        for stranger in strangers { #expect(!known.contains(content, stranger)) }
    }

    @Test("A file that was hashed too soon after its last modification stays unknown")
    func tooSoon() {
        var known = VerifiedFiles()
        var early = seen
        early.seenAt -= 1
        known.record(content, early)
        #expect(!known.contains(content, early))
    }

    @Test("A file whose modification time is in the future is known, unless that is about now")
    func clockSetBack() {
        var known = VerifiedFiles()
        var future = seen
        future.seenAt = 1000 - VerifiedFiles.timestampResolution
        known.record(content, future)
        #expect(!known.contains(content, future))
        future.seenAt -= 1
        known.record(content, future)
        #expect(known.contains(content, future))
        future.identity.changedAt = future.seenAt
        #expect(!known.contains(content, future))
    }

    @Test("A part of an unknown file is read after the whole file once, also if the clock was set back")
    func partsAfterClockSetBack() async throws {
        try await withFolderWorld { world, folder in
            let checksum = try await world.save("abcdef")
            let path = try await world.files(in: "content")[0]
            let future = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 4_000_000_000)]
            let file = folder.appendingPathComponent("content").appendingPathComponent(path).path
            try FileManager.default.setAttributes(future, ofItemAtPath: file)
            let opened = try await world.store.open(checksum)
            #expect(!opened.isKnown)
            for try await _ in try await opened.verifiedChunks(in: 0..<1) {}
            let again = try await world.store.open(checksum)
            #expect(again.isKnown)
        }
    }

    @Test("A full cache is emptied and filled again")
    func full() {
        var known = VerifiedFiles()
        for number in 0...VerifiedFiles.capacity {
            known.record(AssetChecksum(SHA256.hash(data: withUnsafeBytes(of: number) { Array($0) })), seen)
        }
        #expect(!known.contains(AssetChecksum(SHA256.hash(data: withUnsafeBytes(of: 0) { Array($0) })), seen))
        known.record(content, seen)
        #expect(known.contains(content, seen))
    }

    @Test("A file is known from its receipt until it is modified")
    func knownFromTheStart() async throws {
        try await withFolderWorld { world, _ in
            let checksum = try await world.save("abcdef")
            #expect(try await world.store.open(checksum).isKnown)
            try await world.tamper(world.files(in: "content")[0], with: "abcdef")
            #expect(try await !world.store.open(checksum).isKnown)
            #expect(try await world.read(checksum) == "abcdef")
        }
    }

    @Test("A known file that was modified is hashed again, and refused")
    func changedAfterRead() async throws {
        try await withFolderWorld { world, folder in
            let checksum = try await world.save("abcdef")
            let path = try await world.files(in: "content")[0]
            let old = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_000_000)]
            let file = folder.appendingPathComponent("content").appendingPathComponent(path).path
            try FileManager.default.setAttributes(old, ofItemAtPath: file)
            #expect(try await world.read(checksum) == "abcdef")
            #expect(try await world.store.open(checksum).isKnown)
            try await world.tamper(path, with: "abcdeF")
            #expect(try await !world.store.open(checksum).isKnown)
            await #expect(throws: (any Error).self) { try await world.read(checksum) }
        }
    }
}
