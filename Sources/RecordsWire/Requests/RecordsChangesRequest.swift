package import Records

/// Requests the changes of one zone.
package struct RecordsChangesRequest: WireRequest {
    package var feed: ZoneFeed

    package init(_ feed: ZoneFeed) {
        self.feed = feed
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        feed = try ZoneFeed(body, limits: limits)
    }

    package func write(to json: inout JSONWriter) {
        feed.writeMembers(to: &json)
    }
}
