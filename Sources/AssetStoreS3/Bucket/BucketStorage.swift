package import AssetStore
package import Foundation
import NIOCore
import Records
import Synchronization

/// The files of one database in a bucket, which several servers (nodes) may use at once.
///
/// Within a process, `ContentClaims` prevents that content is deleted while it is adopted. Marks in the
/// bucket extend its rules to all nodes:
/// - *Adopt*: put a pin; wait until no other node has a lock on the content; make sure that the content
///   exists; save the record; delete the pin.
/// - *Collect*: put a lock; if another node has a pin or a lock on the content, delete the lock and examine
///   the content later; ask whether a record owns it; if none does, delete it; delete the lock.
///
/// Each side puts its own mark before it looks for the other's, and the bucket is strongly consistent. So of
/// an adoption and a collection at the same time, at least one sees the other. If the collection does, it
/// gives way. If only the adoption does, it waits until the deletion has ended, and then finds the content
/// missing and copies it again. A collection that sees no pin looks either before the adoption put it, and
/// then the adoption sees the lock, or after the adoption deleted it, and then the record is saved and the
/// question is answered with yes. It does not matter which of them is slow, as long as a mark is younger than
/// its lifetime.
///
/// A deletion that was given up without an answer may still be carried out. Its lock is held until that is
/// impossible, and counts at this node, too.
///
/// A node that ends without deleting its marks finds them when it opens the database again. Other nodes
/// ignore and delete a mark that has reached its lifetime. Whoever deletes such a pin examines its content.
package final class BucketStorage: AssetStorage {
    let bucket: any ObjectBucket
    let layout: BucketLayout
    private let makeNumber: @Sendable () -> String
    let now: @Sendable () -> Date
    private let pause: @Sendable (Duration) async throws -> Void
    private let state = Mutex(State())

    private struct State {
        /// The keys of this process's marks.
        var pins: [AssetChecksum: [String]] = [:]
        /// The locks, with the times at which they were made.
        var locks: [String: Date] = [:]
        /// Those among them whose deletion may still be carried out.
        var heldLocks: Set<String> = []
        /// Objects that could not be deleted, and uploads in parts that could not be aborted.
        var leftovers: Set<String> = []
        var leftoverParts: Set<PartedUpload> = []

        func isInUse(_ key: String, of content: AssetChecksum) -> Bool {
            pins[content]?.contains(key) == true || locks[key] != nil
        }
    }

    /// No deletion is requested under an older lock, in seconds.
    private static let lockSeconds: TimeInterval = 600
    /// How often an adoption looks whether another node's lock is gone, and how long it waits in between.
    private static let looks = 20
    private static let wait = Duration.milliseconds(250)
    /// How many leftovers are remembered. The next start of this server finds the others.
    private static let maximumLeftovers = 10_000

    /// - Parameters:
    ///   - name: The name of the database, which has the form of a path.
    ///   - node: Identifies the server among those that use the bucket, also after it started again: letters
    ///     and digits, at most 24.
    ///   - makeNumber: Returns a name that no earlier mark of this node has: letters and digits.
    ///   - now: The system's time, which the object store's must resemble.
    package init(
        _ bucket: any ObjectBucket, name: String, node: String, makeNumber: @escaping @Sendable () -> String,
        now: @escaping @Sendable () -> Date, pause: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.bucket = bucket
        layout = BucketLayout(database: name.isEmpty ? "" : name + "/", node: node)
        self.makeNumber = makeNumber
        self.now = now
        self.pause = pause
    }

    package var uploadPrefix: String { layout.node + "-" }
    package var isShared: Bool { true }
    package var keepsOpenFiles: Bool { false }

    // MARK: Uploads

    package func begin(_ uploadID: String) async throws -> any IncomingAsset {
        await removeLeftovers()
        return IncomingObject(uploadID, in: self)
    }

    package func offer(_ content: AssetChecksum, as uploadID: String) async throws -> Bool {
        let key = layout.key(of: content)
        guard let stored = try await bucket.attributes(of: key) else { return false }
        return try await bucket.copy(key, ifTagged: stored.tag, to: layout.received(uploadID, content)) != nil
    }

    package func removeUpload(_ uploadID: String, _ content: AssetChecksum) async {
        await remove(layout.received(uploadID, content))
    }

    // MARK: Contents

    package func open(_ content: AssetChecksum) async throws -> StoredAsset {
        guard let stored = try await bucket.attributes(of: layout.key(of: content)) else {
            throw RecordError.missingFile
        }
        return StoredAsset(
            reader: BucketReader(bucket: bucket, object: stored),
            attributes: VerifiedFiles.Attributes(objectOf: stored.size, tag: stored.tag))
    }

    package func size(of content: AssetChecksum) async throws -> Int64? {
        try await bucket.attributes(of: layout.key(of: content))?.size
    }

    /// How many sizes are asked for at once, because an object store answers late.
    private static let questionsAtOnce = 16

    package func sizes(of contents: [AssetChecksum]) async throws -> [String: Int64] {
        var sizes: [String: Int64] = [:]
        var rest = contents[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.questionsAtOnce)
            rest = rest.dropFirst(part.count)
            try await withThrowingTaskGroup(of: (String, Int64?).self) { group in
                for content in part {
                    group.addTask { (content.text, try await self.size(of: content)) }
                }
                for try await (fileChecksum, size) in group { sizes[fileChecksum] = size }
            }
        }
        return sizes
    }

    // MARK: Adoption

    package func adopt(
        _ upload: ReceivedUpload, _ content: AssetChecksum, isKnown: (VerifiedFiles.Attributes) -> Bool
    ) async throws -> VerifiedFiles.Attributes? {
        let pin = layout.mark(.pin, of: content, number: makeNumber())
        // Noted first: a request without an answer may have stored the mark.
        state.withLock { $0.pins[content, default: []].append(pin) }
        do {
            try await bucket.put(ByteBuffer(), as: pin)
            try await waitForLocks(on: content)
            return try await provide(content, from: upload, isKnown)
        } catch {
            await endAdoption(of: content)
            throw error
        }
    }

    /// All pins of one content have the same meaning, so any of them may be deleted.
    package func endAdoption(of content: AssetChecksum) async {
        if let pin = state.withLock({ $0.pins[content]?.popLast() }) { await remove(pin) }
        state.withLock { if $0.pins[content]?.isEmpty == true { $0.pins[content] = nil } }
    }

    private func waitForLocks(on content: AssetChecksum) async throws {
        for _ in 0..<Self.looks {
            if try await !others(on: content).contains(where: { $0.kind == .lock }) { return }
            try await pause(Self.wait)
        }
        throw RecordError(
            .tryAgainLater, "another server examines the file", culprit: content.text,
            nextStep: "save the record again in some seconds", retryAfter: 5)
    }

    private func provide(
        _ content: AssetChecksum, from upload: ReceivedUpload, _ isKnown: (VerifiedFiles.Attributes) -> Bool
    ) async throws -> VerifiedFiles.Attributes? {
        let (source, target) = (layout.received(upload.uploadID, content), layout.key(of: content))
        async let sourceAttributes = bucket.attributes(of: source)
        async let targetAttributes = bucket.attributes(of: target)
        let (received, stored) = try await (sourceAttributes, targetAttributes)
        guard let received else {
            guard stored?.size == upload.size else { throw RecordError.expiredReceipt }
            return nil
        }
        guard received.size == upload.size else { throw RecordError.badReceipt }
        let isIntact = isKnown(received.version)
        if let stored, stored.size == received.size, isKnown(stored.version) || !isIntact { return nil }
        guard let tag = try await bucket.copy(source, ifTagged: received.tag, to: target) else {
            // Another adoption of the same upload removed it meanwhile.
            guard try await bucket.attributes(of: target)?.size == upload.size else {
                throw RecordError.expiredReceipt
            }
            return nil
        }
        return isIntact ? VerifiedFiles.Attributes(objectOf: received.size, tag: tag) : nil
    }

    // MARK: Collection

    package func beginCollection(of content: AssetChecksum) async throws -> AssetCollection? {
        await removeLeftovers()
        let lock = layout.mark(.lock, of: content, number: makeNumber())
        let collection = AssetCollection(of: content, lock: lock)
        state.withLock { $0.locks[lock] = now() }
        do {
            try await bucket.put(ByteBuffer(), as: lock)
            if try await others(on: content).isEmpty { return collection }
        } catch {
            await end(collection)
            throw error
        }
        await end(collection)
        return nil
    }

    package func delete(_ collection: AssetCollection) async throws {
        guard let lockedAt = state.withLock({ $0.locks[collection.lock] }),
            (0..<Self.lockSeconds).contains(now().timeIntervalSince(lockedAt))
        else {
            throw RecordError(
                .tryAgainLater, "the deletion of a file took too long", culprit: collection.content.text,
                nextStep: "it is repeated by itself", retryAfter: 60)
        }
        let deletion = await bucket.delete(
            layout.key(of: collection.content), before: lockedAt.addingTimeInterval(Self.lockSeconds))
        if deletion.mayFollow { _ = state.withLock { $0.heldLocks.insert(collection.lock) } }
        if let failure = deletion.failure { throw failure }
    }

    package func end(_ collection: AssetCollection) async {
        if isHeld(collection.lock) { return }
        state.withLock { $0.locks[collection.lock] = nil }
        await remove(collection.lock)
    }

    /// The marks of other nodes on the content, and the held locks of this one. Deletes those that have
    /// reached their lifetime, and those that this node could not delete.
    private func others(on content: AssetChecksum) async throws -> [ContentMark] {
        var others: [ContentMark] = []
        try await bucket.forEach(layout.marks(of: content)) { object in
            guard let mark = layout.mark(object.key) else { return }
            let counts = !mark.isOwn || isHeld(object.key)
            if counts ? isStale(mark, since: object.changedAt) : !isInUse(object.key, of: content) {
                await remove(object.key)
            } else if counts {
                others.append(mark)
            }
        }
        return others
    }

    private func isHeld(_ lock: String) -> Bool { state.withLock { $0.heldLocks.contains(lock) } }

    private func isInUse(_ key: String, of content: AssetChecksum) -> Bool {
        state.withLock { $0.isInUse(key, of: content) }
    }

    func isStale(_ mark: ContentMark, since date: Date) -> Bool {
        now().timeIntervalSince(date) > mark.kind.lifetime
    }

    // MARK: Leftovers

    /// Deletes an object; if that fails, later. It fails in a cancelled task, for example.
    func remove(_ key: String) async {
        do {
            try await bucket.delete(key)
        } catch {
            state.withLock { state in
                if state.leftovers.count < Self.maximumLeftovers { state.leftovers.insert(key) }
            }
        }
    }

    /// Removes the parts of an upload; if that fails, later.
    func abort(_ upload: PartedUpload) async {
        do {
            try await bucket.abort(upload)
        } catch {
            state.withLock { state in
                if state.leftoverParts.count < Self.maximumLeftovers { state.leftoverParts.insert(upload) }
            }
        }
    }

    /// Removes held locks that have reached their lifetime, and what could not be removed before, until that
    /// fails again.
    private func removeLeftovers() async {
        let oldest = now().addingTimeInterval(-ContentMark.Kind.lock.lifetime)
        let ended = state.withLock { state in
            let ended = state.heldLocks.filter { state.locks[$0].map { $0 < oldest } ?? true }
            state.heldLocks.subtract(ended)
            for lock in ended { state.locks[lock] = nil }
            return ended
        }
        for lock in ended { await remove(lock) }
        while let key = state.withLock({ $0.leftovers.popFirst() }) {
            await remove(key)
            if state.withLock({ $0.leftovers.contains(key) }) { return }
        }
        while let upload = state.withLock({ $0.leftoverParts.popFirst() }) {
            await abort(upload)
            if state.withLock({ $0.leftoverParts.contains(upload) }) { return }
        }
    }
}

extension ObjectAttributes {
    fileprivate var version: VerifiedFiles.Attributes { VerifiedFiles.Attributes(objectOf: size, tag: tag) }
}
