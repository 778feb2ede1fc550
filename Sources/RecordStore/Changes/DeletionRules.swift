/// The rules for how many deletions of records a database keeps.
///
/// With more deletions than records, fetching all records costs a device less than fetching the deletions.
package enum DeletionRules {
    /// Whether the tombstones must be counted again, because of the number of deletions since the last count.
    package static func isDue(after count: Int, keeping limit: Int) -> Bool {
        count > limit / 2
    }

    /// How many deletions are kept.
    package static func kept(_ limit: Int, records: Int) -> Int {
        max(limit, records)
    }
}
