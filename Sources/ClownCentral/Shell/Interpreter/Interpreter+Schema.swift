// Owns doing the command that shows the schema.
import Cloudlet
import CommandText
import Foundation

extension Interpreter {
    /// All record types of the present container and environment, or one with its fields.
    func describeSchema(_ word: Word?) async throws -> Answer {
        let types = try await site.recordTypes(in: session.place)
        guard let word else { return Answer.recordTypes(types) }
        if let type = types.first(where: { $0.name == word.text }) { return Answer.fields(of: type) }
        let verbs = CommandTable.standard.verbs(of: "schema")
        let near =
            DidYouMean.suggestions(for: word.text, among: types.map(\.name))
            + DidYouMean.suggestions(for: word.text, among: verbs)
        let place = "\(session.place.environment) of \(session.place.container)"
        throw Complaint(
            code: "notFound", message: "there is no record type `\(word.text)` in \(place)", span: word.range,
            suggestions: near.map { "schema \($0)" }, remedy: "schema")
    }

    /// The record types for completion; none when they cannot be had.
    func recordTypeNames() async -> [Candidate] {
        let types = (try? await site.recordTypes(in: session.place)) ?? []
        return types.map { Candidate($0.name, Answer.counted($0.ownFields.count, "field")) }
    }
}

extension Answer {
    fileprivate static func recordTypes(_ types: [RecordTypeReply]) -> Answer {
        let entries = types.map { type in
            Entry([
                Field("type", .text(type.name)), Field("fields", .count(type.ownFields.count)),
                Field("indexes", .count(type.fields.reduce(0) { $0 + $1.indexCount })),
            ])
        }
        let teaching = "no record types yet; in development the first save makes one: party create Coffee"
        // The type of user records is there from the start.
        let isNew = types.allSatisfy { $0.name == "Users" } && !types.isEmpty
        return Answer(
            form: .list, entries: entries,
            columns: [Column("TYPE", "type"), Column("FIELDS", "fields"), Column("INDEXES", "indexes")],
            notes: isNew ? [teaching] : [], whenEmpty: teaching)
    }

    fileprivate static func fields(of type: RecordTypeReply) -> Answer {
        let own = type.ownFields
        let entries = (own + type.fields.filter(\.isSystem)).map { field in
            Entry([
                Field("field", .text(field.key ?? field.name)), Field("type", .text(field.type)),
                Field("queryable", .flag(field.queryable)), Field("sortable", .flag(field.sortable)),
                Field("searchable", .flag(field.searchable)),
                Field("schemaName", field.isSystem ? .text(field.name) : .missing),
            ])
        }
        let grants = type.grants.map {
            "\($0.role) may \($0.permissions.joined(separator: ", ").lowercased())"
        }
        return Answer(
            form: .list, entries: entries,
            columns: [
                Column("FIELD", "field"), Column("TYPE", "type"), Column("QUERY", "queryable"),
                Column("SORT", "sortable"), Column("SEARCH", "searchable"),
                Column("IN THE SCHEMA", "schemaName"),
            ],
            facts: [Field("recordType", .text(type.name)), Field("fields", .count(own.count))],
            notes: ["in public: " + (grants.isEmpty ? "nobody may anything" : grants.joined(separator: "; "))]
        )
    }
}
