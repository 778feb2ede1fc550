extension Repository {
    /// The names of all models by their IDs.
    func names() async throws -> [String: String] {
        var names: [String: String] = [:]
        for type in Models.all { names.merge(try await self.names(of: type)) { $1 } }
        return names
    }

    private func names<Kind: Model>(of type: Kind.Type) async throws -> [String: String] {
        let models = try await all(type)
        return Dictionary(uniqueKeysWithValues: models.map { ($0.id, $0.displayName) })
    }
}
