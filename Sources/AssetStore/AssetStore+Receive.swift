import Crypto
package import NIOCore
package import Records
import Synchronization
import _NIOFileSystem

extension AssetStore {
    /// Writes `body` to a file of its own, in constant memory, and names its content.
    ///
    /// The bytes are on disk when this returns. A body that breaks off, or is longer than `limit` or shorter
    /// or longer than `expectedSize`, is refused and leaves no file; so does a cancelled call.
    ///
    /// - Parameters:
    ///   - expectedSize: what the sender declared, if anything.
    ///   - admit: is told how many bytes there are with each piece, before it is written; the upload ends
    ///     with what it throws.
    /// - Throws: `limitExceeded`, or `badRequest` for a wrong length; what `body` throws is passed on.
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
                known.withLock { $0.learn(content, seen) }
                uploads.withLock { $0.add(uploadID, content: content, at: now) }
                return ReceivedUpload(uploadID: uploadID, fileChecksum: content.text, size: writer.size)
            } catch {
                writer.discard()
                throw error
            }
        }
    }

    /// Throws away uploads that came before `limit` and that no save has adopted: their receipts have
    /// expired.
    package func discardUploads(receivedBefore limit: Timestamp) {
        for (uploadID, upload) in uploads.withLock({ $0.received(before: limit) }) {
            guard !claims.withLock({ $0.isPinned(upload.content) }) else { continue }
            try? Disk.remove(layout.received(uploadID, upload.content))
            uploads.withLock { $0.remove(uploadID) }
        }
    }

    /// Throws away one upload that no save can adopt, since its receipt is not given out.
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

    /// Cheap when they are there, which after the first upload they are.
    func prepareFolders() throws {
        for folder in [layout.folder, layout.incoming, layout.content] where try Disk.makeFolder(folder) {
            if isDurable { try Disk.synchronizeFolder(folder.removingLastComponent()) }
        }
    }
}
