import AssetStore
import Records

/// Copies files from one asset store to another.
struct FileCopy {
    let source: AssetStore
    let target: AssetStore

    /// What was copied, or was at the target already.
    struct Copied {
        var files = 0
        var bytes: Int64 = 0
        /// Files that the source does not have, or only damaged.
        var missing: [String] = []
    }

    init(from source: AssetStore, to target: AssetStore) {
        self.source = source
        self.target = target
    }

    /// Copies the files with these checksums. A file that the target has already is read and compared with
    /// its checksum.
    func copy(_ checksums: Set<String>) async throws -> Copied {
        let (sizes, present) = (
            try await source.sizes(of: checksums), try await target.sizes(of: checksums)
        )
        var copied = Copied()
        for checksum in checksums.sorted() {
            try Task.checkCancellation()
            guard let size = sizes[checksum] else {
                copied.missing.append(checksum)
                continue
            }
            var isThere = false
            if present[checksum] == size { isThere = await isIntact(checksum, in: target) }
            if !isThere, try await !send(checksum, size) {
                copied.missing.append(checksum)
                continue
            }
            copied.files += 1
            copied.bytes += size
        }
        return copied
    }

    /// Returns false for a file that is damaged in the source.
    private func send(_ checksum: String, _ size: Int64) async throws -> Bool {
        do {
            // Reading compares the content with the checksum.
            let file = try await source.open(checksum, expectedSize: size)
            let upload = try await target.receive(
                body: try file.chunks(), expectedSize: size, limit: .max, now: Timestamp(milliseconds: 0))
            try await target.adopt(upload)
            await target.commit(upload)
            return upload.fileChecksum == checksum
        } catch {
            if await isIntact(checksum, in: source) { throw error }
            return false
        }
    }

    private func isIntact(_ checksum: String, in store: AssetStore) async -> Bool {
        do {
            try await store.verify(checksum)
            return true
        } catch {
            return false
        }
    }
}
