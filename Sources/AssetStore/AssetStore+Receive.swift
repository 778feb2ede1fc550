import Crypto
package import NIOCore
package import Records
import Synchronization
import _NIOFileSystem

extension AssetStore {
    /// Streams `body` into a new file in constant memory, and computes its checksum.
    ///
    /// If the store is durable, the bytes are on disk when this returns. The upload fails and leaves no file
    /// if the body ends early, if it exceeds `limit`, if its length differs from `expectedSize`, or if the
    /// task is cancelled.
    ///
    /// - Parameters:
    ///   - expectedSize: The declared length in bytes, if any.
    ///   - admit: Called with the total number of bytes before each piece is written. An error ends the
    ///     upload.
    /// - Throws: `limitExceeded`, `badRequest` for a wrong length, and errors of `body` and `admit`.
    package func receive<Body: AsyncSequence>(
        body: Body,
        expectedSize: Int64? = nil,
        limit: Int64,
        now: Timestamp,
        admit: (Int64) throws -> Void = { _ in }
    ) async throws -> ReceivedUpload where Body.Element == ByteBuffer {
        if let expectedSize { try refuse(expectedSize, over: limit) }
        let uploadID = makeUploadID()
        guard AssetLayout.isUploadID(uploadID) else { throw RecordError.badUploadID }
        return try await translatingDiskErrors {
            try prepareFolders()
            let partial = layout.partial(uploadID)
            let writer = try await IncomingFile(path: partial)
            do {
                try await fill(writer, from: body, expectedSize: expectedSize) { size in
                    try refuse(size, over: limit)
                    try admit(size)
                }
                let content = writer.checksum
                let received = layout.received(uploadID, content)
                let seen = try await writer.finish(as: received, isDurable: isDurable)
                known.withLock { $0.record(content, seen) }
                uploads.withLock { $0.add(uploadID, content: content, at: now) }
                return ReceivedUpload(uploadID: uploadID, fileChecksum: content.text, size: writer.size)
            } catch {
                writer.discard()
                throw error
            }
        }
    }

    /// Removes the uploads that were received before `limit`, whose receipts have therefore expired. An
    /// upload whose content an adoption pins stays.
    package func discardUploads(receivedBefore limit: Timestamp) {
        for (uploadID, upload) in uploads.withLock({ $0.received(before: limit) }) {
            guard !claims.withLock({ $0.isPinned(upload.content) }) else { continue }
            try? Disk.remove(layout.received(uploadID, upload.content))
            uploads.withLock { $0.remove(uploadID) }
        }
    }

    /// Removes an upload. Use it if the client does not get the upload's receipt.
    package func discard(_ upload: ReceivedUpload) {
        guard let content = AssetChecksum(text: upload.fileChecksum),
            AssetLayout.isUploadID(upload.uploadID)
        else { return }
        try? Disk.remove(layout.received(upload.uploadID, content))
        uploads.withLock { $0.remove(upload.uploadID) }
    }

    private func fill<Body: AsyncSequence>(
        _ writer: IncomingFile,
        from body: Body,
        expectedSize: Int64?,
        admit: (Int64) throws -> Void
    ) async throws where Body.Element == ByteBuffer {
        for try await buffer in body {
            try admit(writer.size + Int64(buffer.readableBytes))
            try await writer.write(buffer)
        }
        if let expectedSize, writer.size != expectedSize { throw RecordError.wrongLength }
    }

    private func refuse(_ size: Int64, over limit: Int64) throws {
        if size > limit { throw RecordError.assetTooLarge }
    }

    /// Creates the folders of the store. After the first upload this costs three system calls.
    func prepareFolders() throws {
        for folder in [layout.folder, layout.incoming, layout.content] where try Disk.makeFolder(folder) {
            if isDurable { try Disk.synchronizeFolder(folder.removingLastComponent()) }
        }
    }
}
