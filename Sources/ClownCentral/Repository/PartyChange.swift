import Foundation

/// A new value for one field of a party; nil clears the field.
enum PartyChange: Hashable, Sendable {
    case name(String)
    case summary(String?)
    case place(String?)
    case location(Coordinate?)
    case starts(Date?)
    case ends(Date?)

    func apply(to party: inout Party) {
        switch self {
        case .name(let name): party.name = name
        case .summary(let summary): party.summary = summary
        case .place(let place): party.place = place
        case .location(let location): party.location = location
        case .starts(let starts): party.starts = starts
        case .ends(let ends): party.ends = ends
        }
    }
}
