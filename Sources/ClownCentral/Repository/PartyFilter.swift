import Foundation

/// The conditions, order and limit of `party list`.
struct PartyFilter: Hashable, Sendable {
    enum Order: String, CaseIterable, Sendable {
        case date
        case distance
        case name
    }

    /// The point from which distances are measured.
    var near: Coordinate?
    /// The largest distance from `near`, in metres.
    var within: Double?
    /// The earliest start of a party.
    var after: Date?
    /// Words that must all occur in the party's texts.
    var search: String?
    var order: Order = .date
    var limit: Int = PartyFilter.defaultLimit

    /// The limit without `--limit`.
    static let defaultLimit = 100
}

extension PartyFilter {
    /// Whether the filter has no condition.
    var isUnconditional: Bool {
        within == nil && after == nil && (search ?? "").isEmpty
    }
}
