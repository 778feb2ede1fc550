// Owns the reading of what is typed.
import Foundation

/// A model that can be typed and shown.
protocol Typeable: Storable {
    static var command: String { get }
    init(id: String)
    mutating func set(_ field: String, to text: String) throws
    var line: String { get }
}

struct Trouble: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

enum Typed {
    static func flag(_ text: String) throws -> Bool {
        switch text {
        case "yes", "true": return true
        case "no", "false": return false
        default: throw Trouble("yes or no, not \(text)")
        }
    }

    static func whole(_ text: String) throws -> Int {
        guard let number = Int(text) else { throw Trouble("a whole number, not \(text)") }
        return number
    }

    static func number(_ text: String) throws -> Double {
        guard let number = Double(text) else { throw Trouble("a number, not \(text)") }
        return number
    }

    /// Nothing takes the date away.
    static func date(_ text: String) throws -> Date? {
        if text.isEmpty { return nil }
        do {
            return try Date(text, strategy: .iso8601)
        } catch {
            throw Trouble("a moment such as 2026-07-04T18:00:00Z, not \(text)")
        }
    }
}
