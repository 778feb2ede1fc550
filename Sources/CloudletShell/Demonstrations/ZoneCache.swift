import Cloudlet
import Foundation

/// Records and the token that belongs to them: the two change together or not at all.
struct ZoneCache: Sendable {
    private(set) var recordNames: Set<String> = []
    /// Where the next fetch goes on; nothing before the first page.
    private(set) var token: CKServerChangeToken?
    /// Pages that were taken in by the present fetch.
    private(set) var pageCount = 0
    /// Records that the present fetch brought although the device had them.
    private(set) var repeatedCount = 0
    private var page: [String] = []

    /// A cache that has these records, up to that place in the zone's history.
    init(recordNames: Set<String> = [], token: CKServerChangeToken? = nil) {
        self.recordNames = recordNames
        self.token = token
    }

    /// Begins another fetch from where the last one came to.
    mutating func begin() {
        page = []
        pageCount = 0
        repeatedCount = 0
    }

    /// Notes a record of the page that is arriving; it counts only when the page's token is there.
    mutating func receive(_ recordName: String) {
        page.append(recordName)
    }

    /// Takes in the page together with its token.
    mutating func commit(_ token: CKServerChangeToken) {
        for name in page where !recordNames.insert(name).inserted { repeatedCount += 1 }
        page = []
        self.token = token
        pageCount += 1
    }
}
