import Records
import Synchronization
import _NIOFileSystem

extension AssetStore {
    /// Links the upload into `content/`, and pins the content until `commit` or `abandon`.
    ///
    /// Call it before the record is saved, so that a saved record always has its file. An upload can be
    /// adopted more than once; each adoption needs its own `commit` or `abandon`.
    ///
    /// - Throws: `uploadExpired` if the upload is missing, `assetRejected` if it does not match its receipt.
    ///   Then nothing is pinned.
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

    /// Ends an adoption after the record was saved, and removes the upload. It cannot fail: a file that it
    /// cannot remove is removed by the next `recover`.
    package func commit(_ upload: ReceivedUpload) {
        guard let content = try? checked(upload) else { return }
        try? Disk.remove(layout.received(upload.uploadID, content))
        uploads.withLock { $0.remove(upload.uploadID) }
        claims.withLock { $0.unpin(content) }
    }

    /// Ends an adoption after the save failed. The next `collect` examines the content. The upload and its
    /// receipt stay valid.
    package func abandon(_ upload: ReceivedUpload) {
        guard let content = try? checked(upload) else { return }
        release(content)
    }

    private func release(_ content: AssetChecksum) {
        claims.withLock {
            $0.unpin(content)
            $0.requestCollection(content)
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

    /// Links the received file to the path of its content. A committed upload has no received file any more;
    /// then it is enough that the content exists. A received file whose content is known replaces an existing
    /// one, so that uploading a file again repairs a damaged one.
    private func link(_ upload: ReceivedUpload, _ content: AssetChecksum) async throws {
        let source = layout.received(upload.uploadID, content)
        let target = layout.path(of: content)
        guard let size = Disk.fileSize(source) else {
            guard Disk.fileSize(target) == upload.size else { throw RecordError.expiredReceipt }
            return
        }
        guard size == upload.size else { throw RecordError.badReceipt }
        let handle = try await FileSystem.shared.openFile(
            forReadingAt: source, options: .noFollow)
        let reader = AssetReader(handle: handle)
        try await reader.handle.withUnsafeDescriptor { [self] file in
            let seen = try Disk.attributes(of: file)
            // An offered upload is another name of the stored file, which may have been damaged since then.
            let isIntact = known.withLock { $0.contains(content, seen) }
            try Disk.addName(target, to: source, size: size, isIntact: isIntact, isDurable: isDurable)
        }
    }
}
