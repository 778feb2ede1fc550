/// Reads the shares of one zone for `SharedFeed`.
package protocol ShareReader {
    /// Returns at most `limit` rows of a share with greater numbers, in ascending order.
    func rows(of share: ShareMembership, after number: Int64, limit: Int) throws -> [SharedRow]

    /// Returns the row of a record in a share; nil if it was never under the share.
    func row(of share: ShareMembership, named name: String) throws -> SharedRow?

    /// The share of records that covers a record; nil if there is none.
    func share(covering name: String) throws -> (id: Int64, name: String)?

    /// Whether the zone has a record with this name.
    func hasRecord(_ name: String) throws -> Bool
}
