import Directory
import RecordStore
package import Records

extension ContainerService {
    /// A page of the creators of a container's public records, sorted by the size of their records and files,
    /// the largest first. People who agreed to be found have a name.
    ///
    /// The database keeps these figures for each creator, so no records are read. Throws `badRequest` for an
    /// invalid place.
    ///
    /// - Parameter place: the place of the last creator of the page before; nil: the first page.
    package func creators(
        of container: String, in environment: CloudEnvironment, after place: String?, limit: Int
    ) async throws -> [CreatorReport] {
        let last = try place.map { text throws(RecordError) in try Self.creator(at: text) }
        let key = DatabaseKey(container: container, environment: environment, owner: nil)
        guard context.provider.exists(key) else { return [] }
        let creators = try await databases.using(key) { database in
            try await database.records.creators(in: ZoneID.defaultName, after: last, limit: limit)
        }
        let found = try await context.directory.discoverableUsers(
            creators.map { .userRecordName($0.person) }, in: container)
        let keys = Set(try await context.directory.serverKeys(of: container).map(\.owner))
        return zip(creators, found).map { creator, known in
            let kind: CreatorReport.Kind =
                if creator.person == Caller.operatorName {
                    .operators
                } else if keys.contains(creator.person) {
                    .serverKeys
                } else {
                    .person
                }
            return CreatorReport(
                userRecordName: creator.person, kind: kind, person: known?.account.name,
                records: creator.usage.records, recordBytes: creator.usage.recordBytes,
                assetBytes: creator.usage.assetBytes)
        }
    }

    /// The creator at a place as `CreatorReport` writes it.
    private static func creator(at place: String) throws(RecordError) -> CreatorUsage {
        let parts = place.split(separator: ":", maxSplits: 1)
        if parts.count == 2, let bytes = Int64(parts[0]) {
            return CreatorUsage(person: String(parts[1]), usage: StoreUsage(recordBytes: bytes))
        }
        throw RecordError(
            .badRequest, "this is no place in the list of creators", culprit: "after",
            nextStep: "go back to the first page")
    }
}
