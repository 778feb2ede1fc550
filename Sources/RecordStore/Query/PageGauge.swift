package import Records

/// Decides when a page is full: after `limit` items, or after the item that brings the total to `bytes`.
///
/// So a page has at least one item, unless `limit` is 0, and exceeds `bytes` by less than one item.
package struct PageGauge {
    private let limit: Int
    private let bytes: Int
    /// The number of items in the page.
    package private(set) var count = 0
    private var taken = 0

    package init(limit: Int, bytes: Int) {
        self.limit = limit
        self.bytes = bytes
    }

    /// Whether the page takes no further item.
    package var isFull: Bool { count >= limit || (count > 0 && taken >= bytes) }

    /// The bytes of further items after which the page is full; 1 if the next item fills it.
    package var bytesLeft: Int { max(1, bytes - taken) }

    /// Adds an item of this many bytes: of its fields, and of the people of a share.
    package mutating func take(bytes: Int) {
        count += 1
        taken += bytes
    }

    /// Returns how many of these items, from the first, fit into a page. An item without a record, such as a
    /// deletion, has no bytes.
    package static func cut<Item>(
        _ items: [Item], limit: Int, bytes: Int, _ addresses: AssetAddress = .plain,
        record: (Item) -> StoredRecord?
    ) -> Int {
        var gauge = PageGauge(limit: limit, bytes: bytes)
        for item in items {
            if gauge.isFull { break }
            gauge.take(bytes: record(item)?.answerBytes(addresses) ?? 0)
        }
        return gauge.count
    }

    /// Returns how many of these notifications, from the first, fit into a page.
    package static func cut(_ notifications: [NumberedNotification], limit: Int, bytes: Int) -> Int {
        var gauge = PageGauge(limit: limit, bytes: bytes)
        for notification in notifications {
            if gauge.isFull { break }
            gauge.take(bytes: notification.bytes)
        }
        return gauge.count
    }
}
