public import Foundation

/// Lets initialisers return a subclass of the sort descriptor they are called on.
public protocol CKSortDescriptorFactory {}

extension NSSortDescriptor: CKSortDescriptorFactory {}

extension CKSortDescriptorFactory where Self: NSSortDescriptor {
    /// Orders by the field or metadata of that name.
    public init(key: String?, ascending: Bool) {
        let descriptor: NSSortDescriptor = KeySortDescriptor(key ?? "", ascending: ascending)
        self = Self.adopt(descriptor)
    }

    /// The field or metadata ordered by; nil when the descriptor was made otherwise.
    public var key: String? {
        (self as? any KeyedSortDescriptor)?.sortKey
    }

    private static func adopt(_ descriptor: NSSortDescriptor) -> Self {
        guard let adopted = descriptor as? Self else {
            // Reached only by calling the initialiser on a subclass other than the one made here.
            preconditionFailure("NSSortDescriptor(key:ascending:) cannot make a \(Self.self)")
        }
        return adopted
    }
}

/// A descriptor that knows its key.
protocol KeyedSortDescriptor {
    var sortKey: String { get }
}

/// Orders by a named field.
final class KeySortDescriptor: NSSortDescriptor, KeyedSortDescriptor {
    let sortKey: String

    init(_ key: String, ascending: Bool) {
        sortKey = key
        super.init(keyPath: \SortAnchor.position, ascending: ascending)
    }

    /// The same object, since the base class would lose the key.
    override func copy() -> Any { self }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? KeySortDescriptor else { return false }
        return other.sortKey == sortKey && other.ascending == ascending
    }

    override var hash: Int { sortKey.hashValue }
}

/// What the base class is told to order by; nothing ever is.
struct SortAnchor {
    var position = 0
}
