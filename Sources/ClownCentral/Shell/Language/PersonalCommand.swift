// Owns what can be asked about notes, shoeboxes, receipts, and their way to the cloud.
import Foundation

/// A command about a person's own data.
enum PersonalCommand: Equatable, Sendable {
    case noteAdd(text: String, party: Word?)
    case noteList(party: Word?)
    case noteEdit(note: Word, text: String)
    case noteDelete(note: Word, isSure: Bool)
    case noteFill(count: Int)
    case boxAdd(name: String)
    case boxList
    case boxDelete(box: Word, isSure: Bool)
    case receiptAdd(ReceiptDraft)
    case receiptList(box: Word?)
    case receiptEdit(receipt: Word, amount: Double?, shop: String?)
    case receiptSave(receipt: Word, file: Word)
    case receiptDelete(receipt: Word, isSure: Bool)
    /// What concerns the way to the cloud.
    case sync(SyncCommand)
}

/// A receipt as it is typed.
struct ReceiptDraft: Equatable, Sendable {
    var shop: String
    var amount: Double
    var date: Date?
    var box: Word?
    var photo: Word?
}

/// A command about the way of a person's own data to the cloud.
enum SyncCommand: Equatable, Sendable {
    /// Everything that can be done now; waiting as long as the server asks for.
    case run(waits: Bool, says: Bool)
    case start
    case stop
    case pending
    case conflicts(forgets: Bool)
    /// Uses a zone again whose data the person had removed.
    case resume(zone: String)
    case network(isOn: Bool)
    /// Brings back what was deleted last.
    case undo
}
