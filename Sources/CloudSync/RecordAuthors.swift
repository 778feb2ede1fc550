/// The people who wrote a record, by their user record names. The signed-in person may be
/// `CKCurrentUserDefaultName`.
public struct RecordAuthors: Hashable, Sendable {
    /// The person who created the record.
    public let creator: String
    /// The person who changed the record last.
    public let lastModifier: String
}
