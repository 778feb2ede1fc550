/// How many deletions of records a database remembers.
///
/// With more deletions than records, fetching all records costs a device less than fetching the deletions.
package enum DeletionRules {
    /// Whether there were enough deletions since the last count to count the tombstones again.
    package static func isDue(after count: Int, keeping limit: Int) -> Bool {
        count > limit / 2
    }

    /// How many deletions are kept.
    package static func kept(_ limit: Int, records: Int) -> Int {
        max(limit, records)
    }
}
