public import Foundation

/// Lets initialisers return a subclass of the predicate they are called on.
public protocol CKPredicateFactory {}

extension NSPredicate: CKPredicateFactory {}

extension CKPredicateFactory where Self: NSPredicate {
    /// A predicate from a format such as `"guests > %d AND name BEGINSWITH %@"`.
    ///
    /// Never ends the process: with a format that cannot be read, or that the service does not understand,
    /// the operation that uses it fails with `CKError.invalidArguments` and a text that says what to write.
    public init(format predicateFormat: String, _ args: Any?...) {
        self = Self.adopt(predicateFormat, args)
    }

    /// A predicate from a format and a list of arguments.
    public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self = Self.adopt(predicateFormat, arguments ?? [])
    }

    private static func adopt(_ format: String, _ arguments: [Any?]) -> Self {
        let tree = PredicateParser.tree(format, arguments: arguments.map(PredicateArgument.init))
        let predicate: NSPredicate = CKFormatPredicate(tree: tree)
        guard let adopted = predicate as? Self else {
            // Reached only by calling the initialiser on a subclass other than the one made here.
            preconditionFailure("NSPredicate(format:) cannot make a \(Self.self)")
        }
        return adopted
    }
}

/// A predicate that was written as a format.
public final class CKFormatPredicate: NSPredicate {
    /// What it says.
    let tree: PredicateTree

    init(tree: PredicateTree) {
        self.tree = tree
        super.init(value: true)
    }

    /// The predicate as text, its constants in place.
    public override var predicateFormat: String { tree.format }

    /// The predicate as text.
    public override var description: String { tree.format }

    /// Equal when both say the same.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CKFormatPredicate)?.tree == tree
    }

    /// Consistent with `isEqual(_:)`.
    public override var hash: Int { tree.hashValue }

    /// Whether a record matches, as the server would say. What it does not understand, such as `OR` and
    /// `LIKE`, goes by Foundation's rules. A value that the record lacks matches no comparison and no negated
    /// one, but equals `NULL`.
    ///
    /// Anything but a `CKRecord` does not match.
    public override func evaluate(with object: Any?) -> Bool {
        guard let record = object as? CKRecord else { return false }
        // Date(): an app that asks by itself means the time of its device.
        return PredicateEvaluation(record: record, now: Date()).matches(tree)
    }

    /// Whether a record matches; variables are not supported, so their values are of no use.
    public override func evaluate(
        with object: Any?,
        // The untyped dictionary belongs to the signature that is overridden.
        substitutionVariables bindings: [String: Any]?
    ) -> Bool {
        evaluate(with: object)
    }

    /// The same object, since the base class would lose the meaning.
    public override func copy() -> Any { self }

    /// The same object, since the base class would lose the meaning.
    public override func copy(with zone: NSZone? = nil) -> Any { self }
}
