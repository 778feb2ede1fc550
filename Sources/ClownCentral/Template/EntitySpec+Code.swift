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
    var writing: String { "record[field: \"\(name)\"] = \(own)" }

    /// Reads the property from the record.
    var reading: String {
        let value = "record[field: \"\(name)\"]"
        return kind == .date ? "\(own) = \(value)" : "\(own) = \(value) ?? \(own)"
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
