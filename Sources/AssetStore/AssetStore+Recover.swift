extension AssetStore {
    /// Removes the uploads of earlier processes, and content that was adopted from them but that no record
    /// owns.
    ///
    /// Call it before any other method. It examines only uploads that were unfinished when the last process
    /// ended, so its duration does not depend on the number of files.
    ///
    /// - Throws: `RecordError` if a folder of the store is a symbolic link.
    package func recover(isUsed: (String) async throws -> Bool) async throws {
        try await storage.recover(isUsed: isUsed)
    }
}
