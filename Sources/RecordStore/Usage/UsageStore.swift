package import Records

/// Counts what records and their files take up, by database, zone and person.
///
/// Every store keeps the following promises. Each sentence is the title of a test in the contract suite.
///
/// - Usage counts record names and fields, a price for each record and each person that a share names, and
///   files, each once for each record that refers to it.
/// - The people whose records take up most of a zone are listed first, in pages, with the number of their
///   records.
/// - A quota refuses each operation that would exceed it, and never one that frees space.
/// - A file that a record already has keeps its size, whatever size an operation states.
/// - The space of a record type is that of its records and files, and of its indexes beside them; an index
///   that is dropped takes up none any more, and the drop says how much it freed.
/// - Deleting a zone subtracts the usage of all its records.
/// - The usage of a person counts the records that the person created, whoever changed them.
/// - A quota for each person refuses a save for which the creator of the record has no room, and does not
///   limit other people.
package protocol UsageStore: Sendable {
    /// Returns the number and bytes of the records, and the bytes of the files, of all zones, as of the last
    /// commit.
    func usage() async throws -> StoreUsage

    /// Returns the number and bytes of the records that a person created, and the bytes of their files, in
    /// all zones.
    func usage(of person: String) async throws -> StoreUsage

    /// Returns the usage of each of these zones, as of the last commit, without reading the records. A zone
    /// that does not exist is left out.
    func usage(ofZones names: [String]) async throws -> [String: StoreUsage]

    /// Returns the people whose records in a zone take up most, the largest first, at most `limit`, without
    /// reading the records. A zone that does not exist has none.
    ///
    /// - Parameter last: the last one of the page before; nil: the first page.
    func creators(in zone: String, after last: CreatorUsage?, limit: Int) async throws -> [CreatorUsage]

    /// Returns what the records of these types and their indexes take up in the default zone; nil if the
    /// store cannot tell. A type of which no record was ever saved is left out.
    ///
    /// A type with many records is estimated from some of them, so that the call takes equally long for a
    /// database of any size.
    func space(ofTypes names: [String]) async throws -> [String: TypeSpace]?
}
