package import Directory

extension CredentialDirectory {
    /// Marks that an object store keeps the files of an installation, so that no node starts without one.
    ///
    /// A copy of all data, whose files may be elsewhere, has the same mark, but is another installation.
    package func markObjectStore(of installation: String) async throws {
        _ = try await secret(named: Self.objectStoreMark(of: installation), candidate: [1])
    }

    /// Whether an object store keeps the files of an installation.
    package func hasObjectStoreMark(of installation: String) async throws -> Bool {
        try await secret(named: Self.objectStoreMark(of: installation)) != nil
    }

    private static func objectStoreMark(of installation: String) -> String {
        "assets-in-object-store of \(installation)"
    }
}
