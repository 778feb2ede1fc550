import Foundation
import Records

/// The owners of zones whose storage is full. For a while, no edits are sent to their zones; everything else
/// goes on.
struct FullStorage {
    /// The waits, by the owner of the zones; nil is the owner of the database that is synced.
    private var holds: [String?: Hold] = [:]

    /// The owners whose zones wait now.
    func owners(at now: Date) -> [String?] {
        holds.filter { $0.value.lasts(at: now) }.keys.sorted { ($0 ?? "") < ($1 ?? "") }
    }

    /// The wait that ends first, with the reasons of all; nil if nothing waits.
    func hold(at now: Date) -> Hold? {
        let lasting = owners(at: now).compactMap { holds[$0] }
        let reasons = lasting.map(\.why).joined(separator: "; ")
        return Hold.first(of: lasting).map { Hold(until: $0.until, why: reasons) }
    }

    /// Records that the server refused edits of a zone for this reason.
    mutating func add(_ zone: ZoneID, because reason: String, until: Date) {
        var why = reason
        if let owner = zone.owner {
            why =
                "the storage of \(owner), who owns the zone \(zone.name), is full: \(reason); the edits of "
                + "this owner's zones are sent again later; ask the owner to make room"
        }
        holds[zone.owner] = Hold(until: until, why: why)
    }
}
