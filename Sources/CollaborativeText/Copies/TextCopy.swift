public import Foundation

/// The whole text as one site knows it. The site stores it in a record or file of its own: see
/// ``TextAssembly``.
public struct TextCopy: Sendable {
    /// The name of the record or file, unique among the copies.
    public var name: String
    /// The only site that writes this record or file. Nil if others may have written it too, or if it belongs
    /// to no site.
    public var site: TextSite?
    /// The person who has written the copy. A person must have the same name in all copies.
    public var author: String
    /// The snapshot: see ``CollaborativeText/takeSnapshot()``.
    public var snapshot: Data

    /// Creates a copy.
    public init(name: String, site: TextSite?, author: String, snapshot: Data) {
        self.name = name
        self.site = site
        self.author = author
        self.snapshot = snapshot
    }
}
