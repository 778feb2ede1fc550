import Foundation
import Records

extension Note {
    static let recordType = "Note"

    enum Key {
        /// The text; of an edited note a copy, see `NoteText`.
        static let text = "text"
        /// The text before the first edit; missing in a note that was never edited.
        static let firstText = "firstText"
        static let party = "party"
        static let partyName = "partyName"
    }

    /// Reads a note from a record. Throws if the record has no text.
    init(_ record: some ModelRecord) throws {
        self.init(
            id: record.recordName, text: try record.value(Key.text),
            partyID: record.referencedName(in: Key.party),
            partyName: record[field: Key.partyName])
    }

    /// Reads an edited note from its record and those of its edits.
    init(_ record: some ModelRecord, _ text: NoteText) throws {
        try self.init(record)
        self.text = text.string
    }

    /// Writes the note into a record. Other fields of the record do not change.
    func write(to record: inout some ModelRecord) {
        record[field: Key.text] = text
        // A string, because a reference cannot point into another database.
        record[field: Key.party] = partyID
        record[field: Key.partyName] = partyName
    }
}

extension Receipt {
    static let recordType = "Receipt"

    enum Key {
        static let shop = "shop"
        static let amount = "amount"
        static let date = "date"
        static let shoebox = "shoebox"
        static let photo = "photo"
    }

    /// Reads a receipt from a record. Throws if the record has no shop, amount or date.
    init(_ record: some ModelRecord) throws {
        let photo: Asset? = record[field: Key.photo]
        self.init(
            id: record.recordName, shop: try record.value(Key.shop), amount: try record.value(Key.amount),
            date: try record.value(Key.date), shoeboxID: record.referencedName(in: Key.shoebox),
            photoByteCount: photo.map { Int(clamping: $0.size) })
    }

    /// Writes the receipt into a record. Other fields, including the photo, do not change.
    func write(to record: inout some ModelRecord) {
        record[field: Key.shop] = shop
        record[field: Key.amount] = amount
        record[field: Key.date] = date
        record[field: Key.shoebox] = shoeboxID.map { Reference(recordName: $0, action: .deleteSelf) }
    }
}

extension Shoebox {
    static let recordType = "Shoebox"

    enum Key {
        static let name = "name"
    }

    /// Reads a shoebox from a record. Throws if the record has no name.
    init(_ record: some ModelRecord) throws {
        self.init(id: record.recordName, name: try record.value(Key.name))
    }

    /// Writes the shoebox into a record. Other fields of the record do not change.
    func write(to record: inout some ModelRecord) {
        record[field: Key.name] = name
    }
}

extension ModelRecord {
    /// The record name in a field that holds a reference or a string; nil for other values.
    func referencedName(in key: String) -> String? {
        let reference: Reference? = self[field: key]
        return reference?.recordName ?? self[field: key]
    }
}
