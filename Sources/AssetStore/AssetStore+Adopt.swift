import Records
import Synchronization

extension AssetStore {
    /// Makes the content of the upload available, and pins it until `commit` or `abandon`.
    ///
    /// Call it before the record is saved, so that a saved record always has its file. An upload can be
    /// adopted more than once; each adoption needs its own `commit` or `abandon`. A committed upload can be
    /// adopted as long as its content exists.
    ///
    /// - Throws: `uploadExpired` if the upload is missing, `assetRejected` if it does not match its receipt.
    ///   Then nothing is pinned.
    package func adopt(_ upload: ReceivedUpload) async throws {
        let content = try checked(upload)
        claims.withLock { $0.pin(content) }
        do {
            await waitForDeletion(of: content)
            let replaced = try await storage.adopt(upload, content) { seen in
                known.withLock { $0.contains(content, seen) }
            }
            if let replaced { known.withLock { $0.record(content, replaced) } }
        } catch {
            release(content)
            throw error
        }
    }

    /// Ends an adoption after the record was saved, and removes the upload. It cannot fail: a file that it
    /// cannot remove is removed later, by the next `recover` at the latest.
    package func commit(_ upload: ReceivedUpload) async {
        guard let content = try? checked(upload) else { return }
        await storage.removeUpload(upload.uploadID, content)
        uploads.withLock { $0.remove(upload.uploadID) }
        await storage.endAdoption(of: content)
        claims.withLock { $0.unpin(content) }
    }

    /// Ends an adoption after the save failed. The next `collect` examines the content. The upload and its
    /// receipt stay valid.
    package func abandon(_ upload: ReceivedUpload) async {
        guard let content = try? checked(upload) else { return }
        await storage.endAdoption(of: content)
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

    func waitForDeletion(of content: AssetChecksum) async {
        await withCheckedContinuation { waiter in
            if claims.withLock({ $0.wait(for: content, waiter) }) { waiter.resume() }
        }
    }
}
