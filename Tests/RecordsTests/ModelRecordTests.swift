import Foundation
import Records
import Testing

/// A minimal implementation of `ModelRecord`.
private struct Card: ModelRecord {
    let recordType = "Card"
    let recordName = "c1"
    var values: [String: FieldValue] = [:]

    subscript(field name: String) -> FieldValue? {
        get { values[name] }
        set { values[name] = newValue }
    }
}

@Suite("The fields of a model")
struct ModelRecordTests {
    private func journey<Value: FieldConvertible & Equatable>(
        _ value: Value, as type: FieldType
    ) throws {
        var card = Card()
        card[field: "x"] = value
        #expect(card.values["x"]?.type == type)
        #expect(card[field: "x"] == value)
        #expect(try card.required("x", as: Value.self) == value)
        card[field: "x"] = Value?.none
        #expect(card.values.isEmpty)
    }

    @Test("A value of each Swift type is read as it was written")
    func journeys() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000.125)
        try journey("text", as: .scalar(.string))
        try journey(Int64.min, as: .scalar(.int64))
        try journey(7, as: .scalar(.int64))
        try journey(2.5, as: .scalar(.double))
        try journey(true, as: .scalar(.int64))
        try journey(date, as: .scalar(.timestamp))
        try journey(Timestamp(date), as: .scalar(.timestamp))
        try journey(Data([0, 255]), as: .scalar(.bytes))
        try journey(Reference(recordName: "r", action: .deleteSelf), as: .scalar(.reference))
        try journey(Asset(fileChecksum: "c", size: 1), as: .scalar(.asset))
        try journey(Location(latitude: 1, longitude: 2), as: .scalar(.location))
        try journey(["a", "b"], as: .list(.string))
        try journey([Date](), as: .list(.timestamp))
    }

    @Test("The error for a missing field, or one of another type, names the record and the field")
    func unreadable() {
        var card = Card()
        card[field: "count"] = "seven"
        for name in ["count", "none"] {
            #expect(card[field: name] as Int? == nil)
            let error = #expect(throws: UnreadableField.self) { try card.required(name, as: Int.self) }
            #expect(error == UnreadableField(recordType: "Card", recordName: "c1", field: name))
        }
        card[field: "list"] = FieldValue.list(.string, ["a", 1])
        #expect(card[field: "list"] as [String]? == nil)
    }

    @Test("Numbers are read as the type that they fit")
    func numbers() {
        var card = Card()
        card[field: "n"] = 2.0
        #expect(card[field: "n"] as Int? == 2)
        card[field: "n"] = 2.5
        #expect(card[field: "n"] as Int? == nil)
        card[field: "n"] = 2
        #expect(card[field: "n"] as Double? == 2)
        #expect(card[field: "n"] as Bool? == true)
    }

    @Test("Identities and references keep their archived form")
    func archives() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        func text(_ value: some Encodable) throws -> String {
            String(decoding: try encoder.encode(value), as: UTF8.self)
        }
        func back<Value: Codable & Equatable>(_ value: Value) throws -> Bool {
            try JSONDecoder().decode(Value.self, from: Data(text(value).utf8)) == value
        }
        let own = RecordID(name: "r", zone: "Z")
        let other = RecordID(name: "r", zone: ZoneID(name: "Z", owner: "_a"))
        #expect(try text(own) == #"{"name":"r","zone":{"name":"Z","owner":"__defaultOwner__"}}"#)
        #expect(try text(other) == #"{"name":"r","zone":{"name":"Z","owner":"_a"}}"#)
        #expect(try back(own) && back(other))
        for action in [Reference.Action.none, .deleteSelf, .validate] {
            for zone in [own.zone, other.zone, nil] {
                #expect(try back(Reference(recordName: "r", zone: zone, action: action)))
            }
        }
        let bound = Reference(recordName: "r", zone: own.zone, action: .deleteSelf)
        #expect(
            try text(bound) == #"{"deletesSelf":true,"target":{"name":"r","zone":"#
                + #"{"name":"Z","owner":"__defaultOwner__"}}}"#)
    }
}
