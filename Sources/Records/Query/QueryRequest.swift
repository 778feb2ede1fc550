/// A query, where to look, and the page that is wanted.
package struct QueryRequest: Hashable, Sendable {
    package var query: Query
    /// nil: the default zone, or every zone of the database with `isZoneWide`.
    package var zone: ZoneID?
    package var isZoneWide: Bool
    /// Records in the page; nil: as many as the server allows.
    package var limit: Int?
    /// Where the last page ended; nil: the first page.
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
