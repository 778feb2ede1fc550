import Records
import Synchronization
import _NIOFileSystem

extension AssetStore {
    /// Puts the upload's bytes where records find them, and holds them there until `commit` or `abandon`.
    ///
    /// To be called before the record is saved: a record that is on disk has its file on disk. The same
    /// upload can be adopted more than once; each adoption needs its own `commit` or `abandon`.
    ///
    /// - Throws: `assetRejected` when the upload is gone or was tampered with; then nothing is held.
    package func adopt(_ upload: ReceivedUpload) async throws {
        let content = try checked(upload)
        claims.withLock { $0.pin(content) }
        do {
            await waitForDeletion(of: content)
            try await translatingDiskErrors { try await link(upload, content) }
        } catch {
            release(content)
            throw error
        }
    }

    /// The record that owns the file is saved: the upload has done its work. Cannot fail; what it could not
    /// remove, the next start does.
    package func commit(_ upload: ReceivedUpload) {
        guard let content = try? checked(upload) else { return }
        try? Disk.remove(layout.received(upload.uploadID, content))
        uploads.withLock { $0.remove(upload.uploadID) }
        claims.withLock { $0.unpin(content) }
    }

    /// The save failed: the content is looked at by the next `collect`. The upload stays, and so its receipt.
    package func abandon(_ upload: ReceivedUpload) {
        guard let content = try? checked(upload) else { return }
        release(content)
    }

    private func release(_ content: AssetChecksum) {
        claims.withLock {
            $0.unpin(content)
            $0.wish(content)
        }
    }

    private func checked(_ upload: ReceivedUpload) throws -> AssetChecksum {
        guard AssetLayout.isUploadID(upload.uploadID),
            let content = AssetChecksum(text: upload.fileChecksum)
        else { throw RecordError.badReceipt }
        return content
    }

    private func waitForDeletion(of content: AssetChecksum) async {
        await withCheckedContinuation { waiter in
            if claims.withLock({ $0.wait(for: content, waiter) }) { waiter.resume() }
        }
    }

    /// An upload that was confirmed before has no incoming file any more, yet its content may still be there.
    private func link(_ upload: ReceivedUpload, _ content: AssetChecksum) async throws {
        let source = layout.received(upload.uploadID, content)
        let target = layout.path(of: content)
        guard let size = Disk.fileSize(source) else {
            guard Disk.fileSize(target) == upload.size else { throw RecordError.badReceipt }
            return
        }
        guard size == upload.size else { throw RecordError.badReceipt }
        let handle = try await FileSystem.shared.openFile(forReadingAt: source)
        let reader = AssetReader(handle: handle)
        try await reader.handle.withUnsafeDescriptor { [isDurable] _ in
            try Disk.addName(target, to: source, size: size, isDurable: isDurable)
        }
    }
}
