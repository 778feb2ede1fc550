// Owns the lines of code that a field of a new app's entity comes to.
import CommandShell
import Foundation

extension EntitySpec.Field {
    /// The type of the model's property.
    var type: String {
        switch kind {
        case .text: "String"
        case .bool: "Bool"
        case .int: "Int"
        case .real: "Double"
        case .date: "Date?"
        }
    }

    /// What a new one has.
    var start: String {
        switch kind {
        case .text: "\"\""
        case .bool: "false"
        case .int, .real: "0"
        case .date: "nil"
        }
    }

    /// The property where a parameter or a constant beside it is called the same.
    private var own: String {
        ["text", "value", "record", "field", "words"].contains(name) ? "self.\(name)" : name
    }

    /// Declares the property.
    var declaration: String { "var \(name): \(type) = \(start)" }

    /// Gives the property of a test's model a value.
    var filling: String { "try model.set(\"\(name)\", to: \"\(example.typed)\")" }

    /// Writes the property into the record.
    var writing: String {
        switch kind {
        case .text: "record[\"\(name)\"] = .text(\(own))"
        case .bool: "record[\"\(name)\"] = .integer(\(own) ? 1 : 0)"
        case .int: "record[\"\(name)\"] = .integer(Int64(\(own)))"
        case .real: "record[\"\(name)\"] = .real(\(own))"
        case .date: "record[\"\(name)\"] = \(own).map { .date($0) }"
        }
    }

    /// Reads the property from the record.
    var reading: String {
        switch kind {
        case .text: "if case .text(let value)? = record[\"\(name)\"] { \(own) = value }"
        case .bool: "if case .integer(let value)? = record[\"\(name)\"] { \(own) = value != 0 }"
        case .int: "if case .integer(let value)? = record[\"\(name)\"] { \(own) = Int(value) }"
        case .real: "if case .real(let value)? = record[\"\(name)\"] { \(own) = value }"
        case .date: "if case .date(let value)? = record[\"\(name)\"] { \(own) = value }"
        }
    }

    /// Sets the property from what was typed.
    var parsing: String {
        switch kind {
        case .text: "\(own) = text"
        case .bool: "\(own) = try Typed.flag(text)"
        case .int: "\(own) = try Typed.whole(text)"
        case .real: "\(own) = try Typed.number(text)"
        case .date: "\(own) = try Typed.date(text)"
        }
    }

    /// The case that sets the property from what was typed.
    var typing: String { "case \"\(name)\": \(parsing)" }

    /// Adds the property to the line of its model.
    var telling: String { "words.append(\"\(name)=\" + (\(showing)))" }

    /// The property for people.
    var showing: String {
        switch kind {
        case .text: own
        case .bool: "\(own) ? \"yes\" : \"no\""
        case .int, .real: "\"\\(\(own))\""
        case .date: "\(own)?.ISO8601Format() ?? \"-\""
        }
    }

    /// A value to type in a test, and what the property is then.
    var example: (typed: String, value: String) {
        switch kind {
        case .text: ("first", "\"first\"")
        case .bool: ("yes", "true")
        case .int: ("7", "7")
        case .real: ("1.5", "1.5")
        case .date: ("2026-07-04T18:00:00Z", "Date(timeIntervalSince1970: 1_783_188_000)")
        }
    }
}
