import Crypto
package import NIOCore
package import Records
import Synchronization

extension AssetStore {
    /// Streams `body` into a new file in constant memory, and computes its checksum.
    ///
    /// If the storage is durable, the bytes are on disk when this returns. The upload fails and leaves no
    /// file if the body ends early, if it exceeds `limit`, if its length differs from `expectedSize`, or if
    /// the task is cancelled.
    ///
    /// - Parameters:
    ///   - expectedSize: The declared length in bytes, if any.
    ///   - now: Evaluated when all bytes have arrived: the time from which `discardUploads` counts.
    ///   - admit: Called with the total number of bytes before each piece is written. An error ends the
    ///     upload.
    /// - Throws: `limitExceeded`, `badRequest` for a wrong length, and errors of `body` and `admit`.
    package func receive<Body: AsyncSequence>(
        body: Body,
        expectedSize: Int64? = nil,
        limit: Int64,
        now: @autoclosure () -> Timestamp,
        admit: (Int64) throws -> Void = { _ in }
    ) async throws -> ReceivedUpload where Body.Element == ByteBuffer {
        if let expectedSize { try refuse(expectedSize, over: limit) }
        let uploadID = try newUploadID()
        let incoming = try await storage.begin(uploadID)
        do {
            var (hash, size) = (SHA256(), Int64(0))
            for try await buffer in body {
                size += Int64(buffer.readableBytes)
                try refuse(size, over: limit)
                try admit(size)
                buffer.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
                try await incoming.write(buffer)
            }
            if let expectedSize, size != expectedSize { throw RecordError.wrongLength }
            // A cancelled body ends like a complete one.
            try Task.checkCancellation()
            let content = AssetChecksum(hash.finalize())
            let seen = try await incoming.finish(as: content)
            known.withLock { $0.record(content, seen) }
            let end = now()
            uploads.withLock { $0.add(uploadID, content: content, at: end) }
            return ReceivedUpload(uploadID: uploadID, fileChecksum: content.text, size: size)
        } catch {
            await incoming.discard()
            throw error
        }
    }

    /// Removes the uploads that were received before `limit`, whose receipts have therefore expired. An
    /// upload whose content an adoption pins stays.
    package func discardUploads(receivedBefore limit: Timestamp) async {
        for (uploadID, upload) in uploads.withLock({ $0.received(before: limit) }) {
            guard !claims.withLock({ $0.isPinned(upload.content) }) else { continue }
            await storage.removeUpload(uploadID, upload.content)
            uploads.withLock { $0.remove(uploadID) }
        }
    }

    /// Removes an upload. Use it if the client does not get the upload's receipt.
    package func discard(_ upload: ReceivedUpload) async {
        guard let content = AssetChecksum(text: upload.fileChecksum),
            AssetLayout.isUploadID(upload.uploadID)
        else { return }
        await storage.removeUpload(upload.uploadID, content)
        uploads.withLock { $0.remove(upload.uploadID) }
    }

    private func refuse(_ size: Int64, over limit: Int64) throws {
        if size > limit { throw RecordError.assetTooLarge }
    }
}
