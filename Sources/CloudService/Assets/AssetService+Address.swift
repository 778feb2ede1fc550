package import Records

extension AssetService {
    /// The address of a file in the object store, if clients read files from there; otherwise nil. Anyone who
    /// has it can read the file until it expires, also after the session has ended. Files that others share
    /// with the caller have none, because the server checks at each download whether they are still shared.
    package func objectAddress(
        of fileChecksum: String, in scope: DatabaseKind, of owner: String?, by caller: Caller
    ) -> String? {
        if scope == .shared { return nil }
        let key = databases.key(owner: scope == .public ? nil : owner, for: caller)
        return context.provider.address(of: fileChecksum, in: key, seconds: context.limits.downloadSeconds)
    }
}
