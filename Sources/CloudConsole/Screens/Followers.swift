import CloudService
import Records
import RecordsWire

/// Finds the public records that refer to a record, by the queryable reference fields of all types.
struct Followers: Sendable {
    let visit: Visit
    let place: ConsolePlace

    /// The names of records that refer to a record, directly or by others.
    struct Found: Sendable {
        /// Records that are deleted with their target.
        var along: [String] = []
        /// Records that keep their target from being deleted.
        var against: [String] = []
        var isMore = false
    }

    /// The most records that are looked at.
    private static let most = 50

    func of(_ name: String) async throws -> Found {
        let schema = try await visit.service.schemas.schema(of: place.container, in: place.environment)
        var found = Found()
        var waiting = [name]
        var seen: Set<String> = [name]
        while let target = waiting.popLast() {
            for (type, field, isList) in Self.referenceFields(of: schema) {
                for (source, action) in try await sources(of: target, type, field, isList) {
                    if !seen.insert(source).inserted || action == .none { continue }
                    if found.along.count + found.against.count >= Self.most {
                        found.isMore = true
                        return found
                    }
                    if action == .validate {
                        found.against.append(source)
                    } else {
                        found.along.append(source)
                        waiting.append(source)
                    }
                }
            }
        }
        return found
    }

    private static func referenceFields(of schema: Schema) -> [(type: String, field: String, isList: Bool)] {
        schema.types.values.sorted { $0.name.precedesInBytes($1.name) }.flatMap { type in
            type.fields.filter {
                $0.value.type.element == .reference && $0.value.indexes.contains(.queryable)
            }
            .map { (type.name, $0.key, $0.value.type.isList) }
            .sorted { $0.1.precedesInBytes($1.1) }
        }
        .prefix(most).map { $0 }
    }

    private func sources(
        of target: String, _ type: String, _ field: String, _ isList: Bool
    ) async throws -> [(String, Reference.Action)] {
        let filter = Filter(
            .field(field), isList ? .listContains : .equals, .reference(Reference(recordName: target)))
        let answer = try await visit.service.records.query(
            QueryRequest(Query(recordType: type, filters: [filter]), limit: Self.most), in: .public,
            by: try visit.caller())
        var sources: [(String, Reference.Action)] = []
        for stored in answer.runs.flatMap(\.records) {
            let fields = try stored.decoded(by: FieldJSON()).fields
            for case .reference(let reference) in fields[field]?.value.elements ?? []
            where reference.recordName == target {
                sources.append((stored.id.name, reference.action))
            }
        }
        return sources
    }
}
