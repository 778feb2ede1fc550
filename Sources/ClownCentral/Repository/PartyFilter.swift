import Foundation

/// The conditions, order and limit of `party list`.
struct PartyFilter: Hashable, Sendable {
    enum Order: String, CaseIterable, Sendable {
        /// Future parties, the next one first, then past parties, the latest first, then those without a
        /// start.
        case upcoming
        case date
        case distance
        case name
    }

    /// The point from which distances are measured. If it is set, parties without a location are left out.
    var near: Coordinate?
    /// The largest distance from `near`, in metres. It has no effect without `near`.
    var within: Double?
    /// The earliest start of a party.
    var after: Date?
    /// Words that must all occur in the party's texts.
    var search: String?
    var order: Order = .upcoming
    /// Whether the order by date begins with the latest party.
    var isLatestFirst = false
    var limit: Int = PartyFilter.defaultLimit

    /// The limit without `--limit`.
    static let defaultLimit = 100
}

extension PartyFilter {
    /// Whether the filter has no condition.
    var isUnconditional: Bool {
        near == nil && after == nil && (search ?? "").isEmpty
    }
}
