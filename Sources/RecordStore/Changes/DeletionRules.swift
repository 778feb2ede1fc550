/// How many deletions a database keeps.
///
/// When it has more deletions than records, fetching everything costs a device less than following them.
package enum DeletionRules {
    /// Whether so many new deletions are worth a look at how many there are.
    package static func isDue(after count: Int, keeping most: Int) -> Bool {
        count > most / 2
    }

    /// How many of all deletions are kept.
    package static func kept(_ most: Int, records: Int) -> Int {
        max(most, records)
    }
}
