import Cloudlet
import Foundation

/// A change or a deletion of a zone, from the database's change feed.
struct ZoneEvent: Hashable, Sendable {
    let zone: String
    /// `changed`, or the reason for the deletion.
    let change: String
}

extension ZoneFetcher {
    /// Returns all changes of zones since a token, and the token for the next call.
    func changes(
        since token: CKServerChangeToken?
    ) async throws -> (changes: [ZoneEvent], token: CKServerChangeToken) {
        var news: [ZoneEvent] = []
        var token = token
        while true {
            let page = try await database.databaseChanges(since: token)
            news += page.modifications.map { ZoneEvent(zone: $0.zoneID.zoneName, change: "changed") }
            news += page.deletions.map { ZoneEvent(zone: $0.zoneID.zoneName, change: "\($0.reason)") }
            if !page.moreComing { return (news, page.changeToken) }
            token = page.changeToken
        }
    }
}
