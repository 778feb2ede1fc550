package import Records

/// The part of a record store that people read through shares. `RecordStore` lists what it promises.
package protocol SharedRecordStore: Sendable {
    /// Returns a page of what one person may see of a zone through shares, as changes since a token. Throws
    /// `zoneNotFound` if the person is a member of no share in the zone; for the token, `badRequest` or
    /// `changeTokenExpired`.
    func sharedChanges(_ request: ChangesRequest, for person: String) async throws -> ChangesPage

    /// Returns a person's memberships in the shares of all zones, in the order of the shares. Ended ones stay
    /// until their end is forgotten.
    func memberships(of person: String) async throws -> [ShareMembership]

    /// Returns the record names of the shares in a zone in which a person takes part, in the order of the
    /// shares; none for a missing zone.
    func shares(of person: String, in zone: String) async throws -> [String]

    /// Returns the record name of the share that covers each of these records; nil if there is none. Throws
    /// `zoneNotFound`.
    func shares(covering names: [String], in zone: String) async throws -> [String?]

    /// Returns the root with this short GUID, or `Share.zoneWideName` for a zone; nil if there is none.
    func record(ofShortGUID guid: String) async throws -> RecordID?

    /// Returns whether a record of the zone refers to the file, and a share in which the person takes part
    /// covers the record. The cost grows with the number of records that refer to it.
    func isAsset(_ fileChecksum: String, sharedWith person: String, in zone: String) async throws -> Bool
}
