import Cloudlet
import Foundation

/// The records of a zone with the matching change token. Both change together.
struct ZoneCache: Sendable {
    private(set) var recordNames: Set<String> = []
    /// The token for the next fetch; nil before the first page.
    private(set) var token: CKServerChangeToken?
    /// The number of pages stored by the current fetch.
    private(set) var pageCount = 0
    /// The number of records in the current fetch that the cache already contained.
    private(set) var repeatedCount = 0
    private var page: [(recordName: String, isDeleted: Bool)] = []

    /// Creates a cache with these records and the token that belongs to them.
    init(recordNames: Set<String> = [], token: CKServerChangeToken? = nil) {
        self.recordNames = recordNames
        self.token = token
    }

    /// Begins a fetch that continues from the stored token.
    mutating func begin() {
        page = []
        pageCount = 0
        repeatedCount = 0
    }

    /// Adds a record to the arriving page. It is stored only with the page's token.
    mutating func receive(_ recordName: String) {
        page.append((recordName, false))
    }

    /// Adds a deletion to the arriving page. The record leaves the cache only with the page's token.
    mutating func remove(_ recordName: String) {
        page.append((recordName, true))
    }

    /// Drops all records and the token, because the server no longer knows what has changed since: the next
    /// fetch starts from the beginning.
    mutating func forget() {
        recordNames = []
        token = nil
        page = []
    }

    /// Stores the page together with its token.
    mutating func commit(_ token: CKServerChangeToken) {
        for change in page {
            if change.isDeleted {
                recordNames.remove(change.recordName)
            } else if !recordNames.insert(change.recordName).inserted {
                repeatedCount += 1
            }
        }
        page = []
        self.token = token
        pageCount += 1
    }
}
