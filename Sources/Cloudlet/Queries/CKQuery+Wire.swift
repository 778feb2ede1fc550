import Foundation
internal import Records

extension CKQuery {
    /// The query in the server's form.
    ///
    /// - Parameters:
    ///   - now: The time that `now()` in the predicate stands for.
    ///   - home: The zone to query; nil queries all zones, and each reference then names its own zone.
    /// - Throws: `CKError.invalidArguments` if the server cannot run the query; the text says what to write
    ///   instead.
    func wire(now: Date, home: ZoneID?) throws -> Query {
        guard !recordType.isEmpty else { throw CKError.invalidArguments("A query needs a record type.") }
        let filters = try FilterTranslation(now: now, home: home).filters(PredicateTree(predicate))
        return Query(
            recordType: recordType, filters: filters, sorts: try (sortDescriptors ?? []).map(Self.sort))
    }

    private static func sort(_ descriptor: NSSortDescriptor) throws -> Sort {
        guard let plain = ArchivedSort(descriptor), !plain.key.isEmpty else {
            throw CKError.invalidArguments(
                "A sort descriptor must name a field: NSSortDescriptor(key: \"name\", ascending: true)."
            )
        }
        let key = SystemField(spelling: plain.key).map { QueryKey.system($0) } ?? .field(plain.key)
        return Sort(key, ascending: plain.ascending, relativeTo: plain.relativeTo?.place)
    }
}
