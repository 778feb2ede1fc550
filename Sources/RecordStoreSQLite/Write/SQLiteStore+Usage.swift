package import RecordStore
package import Records

extension SQLiteStore {
    package func usage() async throws -> StoreUsage { writer.committed.usage }

    package func usage(of person: String) async throws -> StoreUsage {
        try read { try UsageAccount(database: $0).usage(ofPerson: person) }
    }

    package func usage(ofZones names: [String]) async throws -> [String: StoreUsage] {
        try read { database in
            let account = UsageAccount(database: database)
            var usages: [String: StoreUsage] = [:]
            for name in names { usages[name] = try account.usage(ofZone: name) }
            return usages
        }
    }

    package func creators(
        in zone: String, after last: CreatorUsage?, limit: Int
    ) async throws -> [CreatorUsage] {
        try read { try UsageAccount(database: $0).creators(inZone: zone, after: last, limit: limit) }
    }

    package func space(ofTypes names: [String]) async throws -> [String: TypeSpace]? {
        guard SpaceSurvey.isPossible else { return nil }
        return try read { database in
            let catalog = try Catalog(database)
            let types = names.compactMap { catalog.types[$0] }
            return try SpaceSurvey(types, in: database, codec: codec).spaces()
        }
    }

    // MARK: Files

    package func usesAsset(_ fileChecksum: String) async throws -> Bool {
        try read { try AssetOwners(database: $0).own(fileChecksum) }
    }

    package func assets(
        of fileChecksums: Set<String>, createdBy person: String
    ) async throws -> Set<String> {
        try read { database in
            let owners = AssetOwners(database: database)
            return try fileChecksums.filter { try owners.own($0, createdBy: person) }
        }
    }

    package func assets(
        of fileChecksums: [String: Set<String>], inZone zone: String
    ) async throws -> [String: Set<String>] {
        guard let zoneID = writer.committed.zones[zone] else { throw try absence(of: zone) }
        return try read { database in
            let owners = AssetOwners(database: database)
            var found: [String: Set<String>] = [:]
            for (name, wanted) in fileChecksums {
                let owned = try owners.owned(wanted, byRecord: name, in: zoneID)
                if !owned.isEmpty { found[name] = owned }
            }
            return found
        }
    }

    package func releasedAssets(limit: Int) async throws -> [String] {
        try read { try AssetOwners(database: $0).released(limit: limit) }
    }

    package func forgetReleasedAssets(_ fileChecksums: [String], thatAreOwned: Bool) async throws {
        if fileChecksums.isEmpty { return }
        try await write { database, _ in
            try AssetOwners(database: database).forgetReleased(fileChecksums, thatAreOwned: thatAreOwned)
            return (true, ())
        }
    }
}
