/// A query with its zone and page.
package struct QueryRequest: Hashable, Sendable {
    package var query: Query
    /// The zone to search. nil: the default zone, or all zones of the database if `isZoneWide`.
    package var zone: ZoneID?
    package var isZoneWide: Bool
    /// The largest number of records in the page; nil: the server's limit.
    package var limit: Int?
    /// The continuation marker of the previous page; nil: the first page.
    package var marker: [UInt8]?

    package init(
        _ query: Query, zone: ZoneID? = nil, isZoneWide: Bool = false, limit: Int? = nil,
        marker: [UInt8]? = nil
    ) {
        self.query = query
        self.zone = zone
        self.isZoneWide = isZoneWide
        self.limit = limit
        self.marker = marker
    }
}
