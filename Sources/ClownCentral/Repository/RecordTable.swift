import Cloudlet
import Foundation

/// The records of one type in one database, converted to models.
struct RecordTable<Model: Identifiable & Sendable>: Sendable where Model.ID == String {
    let database: CKDatabase
    let recordType: String
    /// The fields that the model needs, without large assets.
    let keys: [CKRecord.FieldKey]
    let read: @Sendable (CKRecord) throws -> Model
    let name: @Sendable (Model) -> String

    /// The largest number of candidates in an ambiguous result.
    private static var candidateLimit: Int { 8 }
    /// The largest number of names that a case-insensitive search fetches for each case of the first letter.
    private static var scanLimit: Int { 1000 }

    /// The model with an ID; nil if no record of this type has it.
    func model(id: String) async throws -> Model? {
        let recordID = CKRecord.ID(recordName: id)
        let results = try await database.records(for: [recordID], desiredKeys: keys)
        guard let record = try results[recordID]?.unlessMissing(), record.recordType == recordType else {
            return nil
        }
        return try read(record)
    }

    /// The models with the given IDs. Records that do not exist or cannot be read are left out.
    func models(ids: [String]) async throws -> [String: Model] {
        var found: [String: Model] = [:]
        for chunk in ids.chunks(of: Batch.maximumRecords) {
            let recordIDs = chunk.map { CKRecord.ID(recordName: $0) }
            for (recordID, result) in try await database.records(for: recordIDs, desiredKeys: keys) {
                guard let record = try result.unlessMissing() else { continue }
                do { found[recordID.recordName] = try read(record) } catch is RepositoryError { continue }
            }
        }
        return found
    }

    /// Searches in this order and returns the first match: an ID, an exact name, the beginning of a name, an
    /// exact name without regard to case, the beginning of a name without regard to case.
    func lookup(_ text: String) async throws -> Lookup<Model> {
        if Self.canBeIdentifier(text), let model = try await model(id: text) { return .found(model) }
        let same = try await candidates(NSPredicate(format: "name = %@", text as NSString))
        if !same.isEmpty { return Lookup(same) }
        let beginning = try await candidates(NSPredicate(format: "name BEGINSWITH %@", text as NSString))
        if !beginning.isEmpty { return Lookup(beginning) }
        let near = try await names(ignoringCase: text)
        let whole = near.filter { name($0).lowercased() == text.lowercased() }
        return Lookup(Array((whole.isEmpty ? near : whole).prefix(Self.candidateLimit)))
    }

    /// The models whose names begin with a text, without regard to case. Queries are case-sensitive, so this
    /// method fetches the names that begin with the first letter in either case, and compares them itself.
    func names(ignoringCase text: String) async throws -> [Model] {
        let letters = Set([text.prefix(1).lowercased(), text.prefix(1).uppercased()])
        var found: [Model] = []
        for letter in letters.sorted() where !letter.isEmpty {
            found += try await names(beginningWith: letter, limit: Self.scanLimit)
        }
        return found.filter { name($0).lowercased().hasPrefix(text.lowercased()) }
    }

    /// The models whose names begin exactly with a text, for completion.
    func names(beginningWith text: String, limit: Int) async throws -> [Model] {
        let predicate =
            text.isEmpty
            ? NSPredicate(value: true) : NSPredicate(format: "name BEGINSWITH %@", text as NSString)
        return try await all(matching: predicate, limit: limit)
    }

    /// Up to `limit` models sorted by name, without the records that cannot be read.
    func all(matching predicate: NSPredicate, limit: Int) async throws -> [Model] {
        let query = CKQuery(recordType: recordType, predicate: predicate)
        query.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try await all(query, limit: limit).found.models
    }

    /// Up to `limit` records of a query as models, fetched page by page, and whether there are more. A record
    /// that cannot be read does not hide the others.
    func all(_ query: CKQuery, limit: Int) async throws -> (found: RecordList<Model>, hasMore: Bool) {
        var page = try await RecordPage.first(query, in: database, keys: keys, limit: limit)
        var records = page.records
        while records.count < limit, let cursor = page.cursor {
            page = try await RecordPage.next(cursor, in: database, keys: keys, limit: limit - records.count)
            records += page.records
        }
        return (try RecordList(records, read), page.cursor != nil)
    }

    private func candidates(_ predicate: NSPredicate) async throws -> [Model] {
        try await all(matching: predicate, limit: Self.candidateLimit)
    }

    private static func canBeIdentifier(_ text: String) -> Bool {
        !text.isEmpty && text.count <= 255 && text.allSatisfy { $0.isASCII && !$0.isWhitespace }
    }
}
