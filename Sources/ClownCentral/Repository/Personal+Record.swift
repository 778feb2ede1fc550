// Owns the ways between the models of personal data and the records on the device.
import Foundation
import LocalReplica

extension Note {
    static let recordType = "Note"

    /// The fields of a note's record.
    enum Key {
        static let text = "text"
        static let party = "party"
        static let partyName = "partyName"
    }

    /// Reads a note; throws when the record has no text.
    init(_ record: ReplicaRecord) throws {
        self.init(
            id: record.id.name, text: try record.text(Key.text), partyID: record.target(Key.party),
            partyName: record[Key.partyName].flatMap(\.text))
    }

    /// Writes the note into a record, whose other fields stay as they are.
    func write(to record: inout ReplicaRecord) {
        record[Key.text] = .text(text)
        // The party lies in another database, so this can be no reference.
        record[Key.party] = partyID.map(ReplicaValue.text)
        record[Key.partyName] = partyName.map(ReplicaValue.text)
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
    init(_ record: ReplicaRecord) throws {
        guard case .real(let amount)? = record[Key.amount] else { throw record.unreadable(Key.amount) }
        guard case .date(let date)? = record[Key.date] else { throw record.unreadable(Key.date) }
        self.init(
            id: record.id.name, shop: try record.text(Key.shop), amount: amount, date: date,
            shoeboxID: record.target(Key.shoebox), photoByteCount: record.photo?.byteCount)
    }

    /// Writes the receipt into a record, whose other fields, the photo included, stay as they are.
    func write(to record: inout ReplicaRecord) {
        record[Key.shop] = .text(shop)
        record[Key.amount] = .real(amount)
        record[Key.date] = .date(date)
        record[Key.shoebox] = shoeboxID.map { .reference(ReplicaReference(name: $0, deletesSelf: true)) }
    }
}

extension Shoebox {
    static let recordType = "Shoebox"

    /// The fields of a shoebox's record.
    enum Key {
        static let name = "name"
    }

    /// Reads a shoebox; throws when the record has no name.
    init(_ record: ReplicaRecord) throws {
        self.init(id: record.id.name, name: try record.text(Key.name))
    }

    /// Writes the shoebox into a record, whose other fields stay as they are.
    func write(to record: inout ReplicaRecord) {
        record[Key.name] = .text(name)
    }
}

extension ReplicaRecord {
    /// The photo of a receipt.
    var photo: ReplicaAsset? {
        guard case .asset(let asset)? = self[Receipt.Key.photo] else { return nil }
        return asset
    }

    fileprivate func text(_ key: String) throws -> String {
        guard let text = self[key]?.text else { throw unreadable(key) }
        return text
    }

    /// The name of the record that a field points at, by a reference or by its name.
    fileprivate func target(_ key: String) -> String? {
        switch self[key] {
        case .reference(let reference)?: reference.name
        case .text(let name)?: name
        default: nil
        }
    }

    fileprivate func unreadable(_ key: String) -> RepositoryError {
        .unreadable(recordType: type, recordName: id.name, field: key)
    }
}

extension ReplicaValue {
    fileprivate var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}
