import AssetStoreS3
import Crypto
import Foundation
import NIOCore
import Records
import Synchronization

@testable import TestKit

/// A bucket in memory. Every request lets other tasks run first, and after it took effect.
final class MemoryBucket: ObjectBucket {
    private struct State {
        var objects: [String: (bytes: ByteBuffer, changedAt: Date)] = [:]
        var parts: [String: (upload: PartedUpload, parts: [ByteBuffer])] = [:]
        var now = Date(timeIntervalSince1970: 1_700_000_000)
        var numbers: SeededNumbers
        var nextUpload = 1
        var pageSize = 1000
        var failure: RecordError?
        var lostAnswers: RecordError?
        /// Whether deletions under a lock get no answer in time.
        var isLate = false
        /// The deletions that got none, and are not carried out yet.
        var late: [String] = []
    }

    private let state: Mutex<State>

    init(seed: UInt64) { state = Mutex(State(numbers: SeededNumbers(seed: seed))) }

    var now: Date { state.withLock { $0.now } }

    /// Lets time pass.
    func advance(hours: Double) { state.withLock { $0.now += hours * 3600 } }

    /// Limits the number of objects of a page.
    func limitPages(to count: Int) { state.withLock { $0.pageSize = count } }

    /// Lets all requests fail; nil lets them succeed again.
    func fail(with error: RecordError?) { state.withLock { $0.failure = error } }

    /// Lets all requests take effect, and then fail; nil lets them succeed again.
    func loseAnswers(with error: RecordError?) { state.withLock { $0.lostAnswers = error } }

    /// Lets deletions under a lock get no answer in time, or get one again. Carries out those without one.
    func delayDeletions(_ isLate: Bool) {
        state.withLock { state in
            state.isLate = isLate
            for key in state.late { state.objects[key] = nil }
            state.late = []
        }
    }

    private func request<Value: Sendable>(
        _ work: @Sendable (inout State) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        await yields()
        let value = try state.withLock { state in
            if let failure = state.failure { throw failure }
            return try work(&state)
        }
        await yields()
        if let failure = state.withLock({ $0.lostAnswers }) { throw failure }
        return value
    }

    private func yields() async {
        let count = state.withLock { Int.random(in: 0..<4, using: &$0.numbers) }
        for _ in 0..<count { await Task.yield() }
    }

    private static func tag(_ bytes: ByteBuffer) -> String {
        String(Array(SHA256.hash(data: Array(bytes.readableBytesView))).hexadecimal.prefix(32))
    }

    func attributes(of key: String) async throws -> ObjectAttributes? {
        try await request { $0.objects[key].map { Self.attributes(key, $0) } }
    }

    private static func attributes(
        _ key: String, _ object: (bytes: ByteBuffer, changedAt: Date)
    ) -> ObjectAttributes {
        ObjectAttributes(
            key: key, size: Int64(object.bytes.readableBytes), tag: tag(object.bytes),
            changedAt: object.changedAt)
    }

    func put(_ bytes: ByteBuffer, as key: String) async throws -> String {
        try await request { $0.objects[key] = (bytes, $0.now) }
        return Self.tag(bytes)
    }

    func putIfMissing(_ bytes: ByteBuffer, as key: String) async throws {
        try await request { if $0.objects[key] == nil { $0.objects[key] = (bytes, $0.now) } }
    }

    func get(_ key: String, in range: Range<Int64>, ifTagged tag: String?) async throws -> ByteBuffer? {
        try await request { state in
            guard let bytes = state.objects[key]?.bytes, tag == nil || tag == Self.tag(bytes) else {
                return nil
            }
            let range = range.clamped(to: 0..<Int64(bytes.readableBytes))
            return bytes.getSlice(at: bytes.readerIndex + Int(range.lowerBound), length: range.count)
        }
    }

    func copy(_ key: String, ifTagged tag: String, to target: String) async throws -> String? {
        try await request { state in
            guard let bytes = state.objects[key]?.bytes, tag == Self.tag(bytes) else { return nil }
            state.objects[target] = (bytes, state.now)
            return tag
        }
    }

    func delete(_ key: String) async throws {
        try await request { $0.objects[key] = nil }
    }

    func delete(_ key: String, before deadline: Date) async -> ObjectDeletion {
        let late = RecordError(.tryAgainLater, "the store of files does not answer")
        let isLate = state.withLock { state in
            if state.isLate { state.late.append(key) }
            return state.isLate
        }
        if isLate { return ObjectDeletion(failure: late, mayFollow: true) }
        do {
            try await delete(key)
            return ObjectDeletion()
        } catch {
            return ObjectDeletion(failure: error)
        }
    }

    func list(_ prefix: String, after position: String?) async throws -> ObjectPage {
        try await request { state in
            let keys = state.objects.keys.filter { $0.hasPrefix(prefix) && $0 > position ?? "" }.sorted()
            let page = keys.prefix(state.pageSize)
            let objects = page.compactMap { key in state.objects[key].map { Self.attributes(key, $0) } }
            return ObjectPage(objects: objects, next: page.count < keys.count ? page.last : nil)
        }
    }

    func beginParts(of key: String) async throws -> String {
        try await request { state in
            let id = "parts-\(state.nextUpload)"
            state.nextUpload += 1
            state.parts[id] = (PartedUpload(key: key, id: id, beganAt: state.now), [])
            return id
        }
    }

    func putPart(_ number: Int, _ bytes: ByteBuffer, of upload: PartedUpload) async throws -> String {
        try await request { state in
            precondition(state.parts[upload.id]?.parts.count == number - 1, "the parts are in order")
            state.parts[upload.id]?.parts.append(bytes)
        }
        return Self.tag(bytes)
    }

    func join(_ tags: [String], of upload: PartedUpload) async throws -> String {
        try await request { state in
            var bytes = ByteBuffer()
            let parts = state.parts.removeValue(forKey: upload.id)?.parts ?? []
            precondition(parts.map(Self.tag) == tags, "the tags are those of the parts")
            for part in parts { bytes.writeImmutableBuffer(part) }
            state.objects[upload.key] = (bytes, state.now)
            return Self.tag(bytes)
        }
    }

    func abort(_ upload: PartedUpload) async throws {
        try await request { _ = $0.parts.removeValue(forKey: upload.id) }
    }

    func partedUploads(_ prefix: String) async throws -> [PartedUpload] {
        try await request { state in
            state.parts.values.map(\.upload).filter { $0.key.hasPrefix(prefix) }.sorted { $0.id < $1.id }
        }
    }
}
