import Cloudlet
import Foundation

/// The record format of a contact card: a name and text fields.
enum ContactCard {
    static let recordType = "ContactCard"

    /// The fields that the app's first release had.
    static let firstFields = ["street", "city", "phone"]
    /// The fields of this release, which added `hometown`.
    static let fields = firstFields + ["hometown"]

    /// A new value for one field; nil removes the value.
    struct Change: Hashable, Sendable {
        let field: String
        let value: String?
    }

    /// The record name of the card for a person's name.
    static func recordName(_ name: String) -> String {
        "card-" + name.lowercased().map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
    }

    /// Writes the changes into a record. Only these fields become changed keys.
    static func write(_ changes: [Change], to record: CKRecord) {
        for change in changes { record[change.field] = change.value }
    }

    /// The changes that can be applied to the server's version: those to fields whose value on the server
    /// still equals the ancestor's. If two people changed the same field, the change that was saved first
    /// wins.
    static func mergeable(_ changes: [Change], server: CKRecord, ancestor: CKRecord?) -> [Change] {
        changes.filter { change in
            server[change.field] as? String == ancestor?[change.field] as? String
        }
    }

    /// The record as the app's first release would save it: with all fields of that release and no others.
    static func asFirstRelease(_ held: CKRecord) -> CKRecord {
        let record = CKRecord(recordType: recordType, recordID: held.recordID)
        for field in ["name"] + firstFields { record[field] = held[field] as? String }
        return record
    }
}
