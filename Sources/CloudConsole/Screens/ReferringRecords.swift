import CloudService
import Records
import RecordsWire

/// Finds the public records that refer to a record, by the queryable reference fields of all types.
struct ReferringRecords: Sendable {
    let request: ScreenRequest
    let place: ConsolePlace

    /// The names of records that refer to a record, directly or through other records.
    struct Found: Sendable {
        /// Records that would be deleted together with the record.
        var deletedTogether: [String] = []
        /// Records that prevent the deletion.
        var preventingDeletion: [String] = []
        var isMore = false
    }

    /// The maximum number of records in the result, and of reference fields that are searched.
    private static let maximumRecords = 50
    /// The maximum number of records that are read.
    private static let maximumReads = 1000

    func of(_ name: String) async throws -> Found {
        let schema = try await request.service.schemas.schema(of: place.container, in: place.environment)
        let references = Self.references(of: schema)
        var found = Found(isMore: references.count > Self.maximumRecords)
        var waiting = [name]
        var (deletedTogether, preventingDeletion): (Set<String>, Set<String>) = ([name], [])
        var left = Self.maximumReads
        while let target = waiting.popLast() {
            for reference in references.prefix(Self.maximumRecords) {
                let (sources, isMore) = try await sources(of: target, reference, atMost: left)
                left -= sources.count
                for source in sources {
                    let isNew =
                        source.actions.contains(.validate)
                        ? preventingDeletion.insert(source.name).inserted
                        : source.actions.contains(.deleteSelf) && deletedTogether.insert(source.name).inserted
                    if !isNew { continue }
                    if found.deletedTogether.count + found.preventingDeletion.count >= Self.maximumRecords {
                        found.isMore = true
                        return found
                    }
                    if source.actions.contains(.validate) {
                        found.preventingDeletion.append(source.name)
                    } else {
                        found.deletedTogether.append(source.name)
                        waiting.append(source.name)
                    }
                }
                if isMore {
                    found.isMore = true
                    return found
                }
            }
        }
        return found
    }

    /// A queryable reference field.
    private struct ReferenceField: Sendable {
        let type: String
        let field: String
        let isList: Bool
    }

    private static func references(of schema: Schema) -> [ReferenceField] {
        schema.types.values.sorted { $0.name.precedesInBytes($1.name) }.flatMap { type in
            type.fields.filter {
                $0.value.type.element == .reference && $0.value.indexes.contains(.queryable)
            }
            .map { ReferenceField(type: type.name, field: $0.key, isList: $0.value.type.isList) }
            .sorted { $0.field.precedesInBytes($1.field) }
        }
    }

    /// A record that refers to a target, with the actions of its references in one field.
    private struct Source: Sendable {
        let name: String
        let actions: [Reference.Action]
    }

    /// Reads at most `count` records, and whether there are more.
    private func sources(
        of target: String, _ reference: ReferenceField, atMost count: Int
    ) async throws -> (sources: [Source], isMore: Bool) {
        let filter = Filter(
            .field(reference.field), reference.isList ? .listContains : .equals,
            .reference(Reference(recordName: target)))
        let query = Query(recordType: reference.type, filters: [filter])
        var sources: [Source] = []
        var marker: [UInt8]?
        repeat {
            let answer = try await request.service.records.query(
                QueryRequest(query, limit: 200, marker: marker), in: .public, by: try request.caller())
            for record in try await request.decoded(answer.runs.flatMap(\.records)) {
                if sources.count >= count { return (sources, true) }
                var actions: [Reference.Action] = []
                for case .reference(let known) in record.fields[reference.field]?.value.elements ?? []
                where known.recordName == target {
                    actions.append(known.action)
                }
                sources.append(Source(name: record.id.name, actions: actions))
            }
            marker = answer.marker
        } while marker != nil
        return (sources, false)
    }
}
