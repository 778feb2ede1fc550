// Owns what the present device remembers of the records that it fetched.
import Cloudlet
import Foundation

extension Interpreter {
    /// Fetches a record whole and keeps it as what this device saw last.
    func fetchAndKeep(_ recordName: String, from database: CKDatabase) async throws -> CKRecord {
        let record = try await database.record(for: CKRecord.ID(recordName: recordName))
        keep(record)
        return record
    }

    /// What this device saw last of a record, however old; fetched if it never saw it.
    func heldCopy(_ recordName: String, from database: CKDatabase) async throws -> CKRecord {
        let person = session.account?.person
        if let held = session.copies.copy(recordName, person: person, device: session.device) { return held }
        _ = try await fetchAndKeep(recordName, from: database)
        return try await heldCopy(recordName, from: database)
    }

    /// Keeps a record as what this device saw last.
    func keep(_ record: CKRecord) {
        session.copies.keep(record, person: session.account?.person, device: session.device)
    }
}
