public import Foundation

/// Lets the initialiser of an `NSSortDescriptor` extension return a subclass.
public protocol CKSortDescriptorFactory {}

extension NSSortDescriptor: CKSortDescriptorFactory {}

extension CKSortDescriptorFactory where Self: NSSortDescriptor {
    /// Creates a descriptor that sorts by the field or metadata named `key`.
    public init(key: String?, ascending: Bool) {
        let descriptor: NSSortDescriptor = KeySortDescriptor(key ?? "", ascending: ascending)
        self = Self.adopt(descriptor)
    }

    /// The name of the field or metadata to sort by; nil if the descriptor was created without a key.
    public var key: String? {
        (self as? any KeyedSortDescriptor)?.sortKey
    }

    private static func adopt(_ descriptor: NSSortDescriptor) -> Self {
        guard let adopted = descriptor as? Self else {
            // Reached only if the initialiser is called on a subclass other than the one created here.
            preconditionFailure("NSSortDescriptor(key:ascending:) cannot make a \(Self.self)")
        }
        return adopted
    }
}

/// A sort descriptor that knows its key.
protocol KeyedSortDescriptor {
    var sortKey: String { get }
}

/// Sorts by a named field.
final class KeySortDescriptor: NSSortDescriptor, KeyedSortDescriptor {
    let sortKey: String

    init(_ key: String, ascending: Bool) {
        sortKey = key
        super.init(keyPath: \SortAnchor.position, ascending: ascending)
    }

    /// Returns the same object, because the copy of the base class would lose the key.
    override func copy() -> Any { self }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? KeySortDescriptor else { return false }
        return other.sortKey == sortKey && other.ascending == ascending
    }

    override var hash: Int { sortKey.hashValue }
}

/// Its key path is passed to the base class, which requires one. Nothing is sorted by it.
struct SortAnchor {
    var position = 0
}
