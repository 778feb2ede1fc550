import Cloudlet
import Foundation

/// What a device hears of a zone.
struct ZoneNews: Hashable, Sendable {
    let zone: String
    /// `changed`, or the reason for which the zone is gone.
    let what: String
}

extension ZoneFetcher {
    /// All that happened to zones since a token, and the token to ask with the next time.
    func changes(
        since token: CKServerChangeToken?
    ) async throws -> (changes: [ZoneNews], token: CKServerChangeToken) {
        var news: [ZoneNews] = []
        var token = token
        while true {
            let page = try await database.databaseChanges(since: token)
            news += page.modifications.map { ZoneNews(zone: $0.zoneID.zoneName, what: "changed") }
            news += page.deletions.map { ZoneNews(zone: $0.zoneID.zoneName, what: "\($0.reason)") }
            if !page.moreComing { return (news, page.changeToken) }
            token = page.changeToken
        }
    }
}
