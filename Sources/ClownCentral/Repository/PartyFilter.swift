import Foundation

/// The question behind `party list`.
struct PartyFilter: Hashable, Sendable {
    /// The order of the answer.
    enum Order: String, CaseIterable, Sendable {
        case date
        case distance
        case name
    }

    /// Where distances are counted from.
    var near: Coordinate?
    /// The greatest distance in metres.
    var within: Double?
    /// Only parties that start at this moment or later.
    var after: Date?
    /// Words that all have to occur in the party's texts.
    var search: String?
    var order: Order = .date
    var limit: Int = PartyFilter.defaultLimit

    /// How many parties a list shows when nobody says how many.
    static let defaultLimit = 100
}

extension PartyFilter {
    /// Whether every party gets through.
    var isOpen: Bool {
        within == nil && after == nil && (search ?? "").isEmpty
    }
}
