import Foundation
import Records

extension Note {
    static let recordType = "Note"

    /// The fields of a note's record.
    enum Key {
        static let text = "text"
        static let party = "party"
        static let partyName = "partyName"
    }

    /// Reads a note; throws when the record has no text.
    init(_ record: some ModelRecord) throws {
        self.init(
            id: record.recordName, text: try record.value(Key.text), partyID: record.pointed(Key.party),
            partyName: record[field: Key.partyName])
    }

    /// Writes the note into a record, whose other fields stay as they are.
    func write(to record: inout some ModelRecord) {
        record[field: Key.text] = text
        // The party lies in another database, so this can be no reference.
        record[field: Key.party] = partyID
        record[field: Key.partyName] = partyName
    }
}

extension Receipt {
    static let recordType = "Receipt"

    /// The fields of a receipt's record.
    enum Key {
        static let shop = "shop"
        static let amount = "amount"
        static let date = "date"
        static let shoebox = "shoebox"
        static let photo = "photo"
    }

    /// Reads a receipt; throws when the record lacks a shop, an amount or a date.
    init(_ record: some ModelRecord) throws {
        let photo: Asset? = record[field: Key.photo]
        self.init(
            id: record.recordName, shop: try record.value(Key.shop), amount: try record.value(Key.amount),
            date: try record.value(Key.date), shoeboxID: record.pointed(Key.shoebox),
            photoByteCount: photo.map { Int(clamping: $0.size) })
    }

    /// Writes the receipt into a record, whose other fields, the photo included, stay as they are.
    func write(to record: inout some ModelRecord) {
        record[field: Key.shop] = shop
        record[field: Key.amount] = amount
        record[field: Key.date] = date
        record[field: Key.shoebox] = shoeboxID.map { Reference(recordName: $0, action: .deleteSelf) }
    }
}

extension Shoebox {
    static let recordType = "Shoebox"

    /// The fields of a shoebox's record.
    enum Key {
        static let name = "name"
    }

    /// Reads a shoebox; throws when the record has no name.
    init(_ record: some ModelRecord) throws {
        self.init(id: record.recordName, name: try record.value(Key.name))
    }

    /// Writes the shoebox into a record, whose other fields stay as they are.
    func write(to record: inout some ModelRecord) {
        record[field: Key.name] = name
    }
}

extension ModelRecord {
    /// The name of the record that a field points at, by a reference or by its name; nil when it does not.
    fileprivate func pointed(_ key: String) -> String? {
        let reference: Reference? = self[field: key]
        return reference?.recordName ?? self[field: key]
    }
}
