// Owns the kinds of value that a command's arguments and flags take.
import Foundation

/// What is expected in a place of the line; it drives both checking and completion.
enum ValueKind: Hashable, Sendable {
    case text
    case party
    case clown
    case photo
    case note
    case receipt
    case shoebox
    case favourite
    case zone
    case recordType
    /// A field of the record type that the command names, with = behind it where a value follows.
    case field(of: String? = nil, isAssigned: Bool = false)
    /// The name of a record, of the type that the command names if it does.
    case record(of: String? = nil)
    /// A fault in force.
    case fault
    /// `public`, `private`, or a zone as `private/NAME`.
    case database
    case subscription
    case coordinate
    case moment
    case distance
    case number
    case file
    case person
    case device
    case seedSet
    case command
    case change
    /// A field of a contact card and its new value.
    case cardChange
    case expectation
    case choice([String])
    /// The same, with a few words about each.
    case described([Candidate])
    /// A flag that stands alone.
    case nothing
}
