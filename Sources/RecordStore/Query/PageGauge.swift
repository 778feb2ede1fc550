package import Records

/// Fills a page: it ends with the item that makes it as many as asked, or that brings its fields to as many
/// bytes as an answer should have. So a page holds one item at least, and never much more than it may.
package struct PageGauge {
    private let limit: Int
    private let bytes: Int
    /// How many items it has.
    package private(set) var count = 0
    private var taken = 0

    package init(limit: Int, bytes: Int) {
        self.limit = limit
        self.bytes = bytes
    }

    /// Whether the page has ended.
    package var isFull: Bool { count >= limit || (count > 0 && taken >= bytes) }

    /// Counts an item whose fields have so many bytes.
    package mutating func take(bytes: Int) {
        count += 1
        taken += bytes
    }

    /// How many of these items, in order, the page has.
    package static func cut<Item>(
        _ items: [Item], limit: Int, bytes: Int, fields: (Item) -> FieldBytes?
    ) -> Int {
        var gauge = PageGauge(limit: limit, bytes: bytes)
        for item in items {
            if gauge.isFull { break }
            gauge.take(bytes: fields(item)?.answerBytes ?? 0)
        }
        return gauge.count
    }

    /// How many of these notifications, in order, the page has.
    package static func cut(_ notifications: [NumberedNotification], limit: Int, bytes: Int) -> Int {
        var gauge = PageGauge(limit: limit, bytes: bytes)
        for notification in notifications {
            if gauge.isFull { break }
            gauge.take(bytes: notification.bytes)
        }
        return gauge.count
    }
}
