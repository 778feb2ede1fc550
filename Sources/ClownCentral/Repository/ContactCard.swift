import Cloudlet
import Foundation

/// A contact card as records hold it: a name and fields of text.
enum ContactCard {
    static let recordType = "ContactCard"

    /// The fields of the first release of the app.
    static let firstFields = ["street", "city", "phone"]
    /// The fields of this release: the first one knew no hometown.
    static let fields = firstFields + ["hometown"]

    /// A new value for one field; nothing removes it.
    struct Change: Hashable, Sendable {
        let field: String
        let value: String?
    }

    /// The record name that the card of that name is stored under.
    static func recordName(_ name: String) -> String {
        "card-" + name.lowercased().map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
    }

    /// Writes changes into a record; only these fields become changed keys.
    static func write(_ changes: [Change], to record: CKRecord) {
        for change in changes { record[change.field] = change.value }
    }

    /// The changes that can be applied to the server's version: those to fields that nobody else changed
    /// since the ancestor. Of two people who changed one field, the first wins.
    static func mergeable(_ changes: [Change], server: CKRecord, ancestor: CKRecord?) -> [Change] {
        changes.filter { change in
            server[change.field] as? String == ancestor?[change.field] as? String
        }
    }

    /// The record as the first release of the app would write it: all the fields that it knew, and no other.
    static func asFirstRelease(_ held: CKRecord) -> CKRecord {
        let record = CKRecord(recordType: recordType, recordID: held.recordID)
        for field in ["name"] + firstFields { record[field] = held[field] as? String }
        return record
    }
}
