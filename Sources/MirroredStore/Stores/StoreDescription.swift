public import Cloudlet
public import ObjectModel

/// A store of `MirroredStores`: its entities, and the database with which it is mirrored.
///
/// ```swift
/// let cloud = StoreDescription("cloud", layout: cloudLayout, container: container)
/// let shared = StoreDescription("shared", layout: cloudLayout, container: container, scope: .shared)
/// let local = StoreDescription("local", layout: localLayout)
/// ```
public struct StoreDescription: Sendable {
    /// The name of the store, and of its folder.
    public var name: String
    /// The entities of the store's configuration.
    public var layout: StoreLayout
    /// The container with which the store is mirrored; nil: its objects stay on this device.
    public var container: CKContainer?
    /// The database with which the store is mirrored.
    public var scope: CKDatabase.Scope
    /// The app's rules for the objects of this store besides those of the model, for example for drafts. An
    /// error that it throws rolls the transaction back.
    public var check: @Sendable (MirroredObject) throws -> Void

    /// Creates a description.
    public init(
        _ name: String, layout: StoreLayout, container: CKContainer? = nil,
        scope: CKDatabase.Scope = .private,
        check: @escaping @Sendable (MirroredObject) throws -> Void = { _ in }
    ) {
        self.name = name
        self.layout = layout
        self.container = container
        self.scope = scope
        self.check = check
    }
}
