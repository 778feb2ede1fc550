extension AssetStore {
    /// Deletes what earlier processes left: their uploads, and the content that was adopted from them if no
    /// record owns it. A storage that several processes use keeps their complete uploads for a day.
    ///
    /// Call it before any other method. It examines only the uploads that were pending when the last process
    /// ended, so its duration does not depend on the number of stored files.
    ///
    /// - Parameter isUsed: Whether any record of the database owns the file with this checksum.
    /// - Throws: `internalError` if a folder of the store is a symbolic link: in a data folder from an
    ///   untrusted source it can lead to other people's files, which must not be served or deleted.
    package func recover(isUsed: (String) async throws -> Bool) async throws {
        try await storage.recover(isUsed: isUsed)
    }
}
