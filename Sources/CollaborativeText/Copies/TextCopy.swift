public import Foundation

/// The whole text as one site knows it, which that site stores in a place of its own: see ``TextAssembly``.
public struct TextCopy: Sendable {
    /// The name of the place, for example of a record. Copies with the same name are one.
    public var name: String
    /// The site that alone writes to this place. Nil if others may have written to it too, or if the place
    /// belongs to no site.
    public var site: TextSite?
    /// The person who has written the copy. The names of a person must be equal in all copies.
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
