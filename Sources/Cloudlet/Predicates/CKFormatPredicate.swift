public import Foundation

/// Lets the initialiser of an `NSPredicate` extension return a subclass.
public protocol CKPredicateFactory {}

extension NSPredicate: CKPredicateFactory {}

extension CKPredicateFactory where Self: NSPredicate {
    /// Creates a predicate from a format such as `"guests > %d AND name BEGINSWITH %@"`.
    ///
    /// An invalid format does not end the process. If the format cannot be parsed, or the service does not
    /// support it, the operation that uses the predicate fails with `CKError.invalidArguments`, and the error
    /// text says what to write.
    public init(format predicateFormat: String, _ args: Any?...) {
        self = Self.adopt(predicateFormat, args.map(PredicateArgument.init))
    }

    /// Creates a predicate from a format and an array of arguments. It treats invalid formats as
    /// `init(format:_:)` does.
    public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self = Self.adopt(predicateFormat, (arguments ?? []).map(PredicateArgument.init))
    }

    /// Creates a predicate from a format and a C argument list, as `withVaList` makes it. It treats invalid
    /// formats as `init(format:_:)` does.
    ///
    /// A C argument list does not carry the types of its values. As in any such call, each placeholder must
    /// fit its argument: `%ld` an `Int`, `%d` an `Int32`, `%f` a `Double`, `%@` and `%K` an object. The
    /// objects are those that are `CVarArg` on Linux: text, records, record IDs, references and locations.
    /// Pass dates, numbers as objects, data and lists with `init(format:argumentArray:)`.
    public init(format predicateFormat: String, arguments argList: CVaListPointer) {
        self = Self.adopt(predicateFormat, PredicateArgument.read(argList, for: predicateFormat))
    }

    private static func adopt(_ format: String, _ arguments: [PredicateArgument]) -> Self {
        let tree = PredicateParser.tree(format, arguments: arguments)
        let predicate: NSPredicate = CKFormatPredicate(tree: tree)
        guard let adopted = predicate as? Self else {
            // Reached only if the initialiser is called on a subclass other than the one created here.
            preconditionFailure("NSPredicate(format:) cannot make a \(Self.self)")
        }
        return adopted
    }
}

/// A predicate that was created from a format.
public final class CKFormatPredicate: NSPredicate {
    /// The expression of the predicate.
    let tree: PredicateTree

    init(tree: PredicateTree) {
        self.tree = tree
        super.init(value: true)
    }

    /// The predicate as text, including its constants.
    public override var predicateFormat: String { tree.format }

    /// The predicate as text, for logs.
    public override var description: String { tree.format }

    /// Equal if both have the same expression.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CKFormatPredicate)?.tree == tree
    }

    /// Consistent with `isEqual(_:)`.
    public override var hash: Int { tree.hashValue }

    /// Whether a record matches the predicate by the server's rules; anything but a `CKRecord` does not
    /// match.
    ///
    /// Expressions that the server does not support, such as `OR` and `LIKE`, follow Foundation's rules. A
    /// comparison with a value that the record lacks does not match, and neither does its negation; only
    /// `== NULL` matches.
    public override func evaluate(with object: Any?) -> Bool {
        guard let record = object as? CKRecord else { return false }
        // Date(): an app that evaluates a predicate itself means the time of its device.
        return PredicateEvaluation(record: record, now: Date()).matches(tree)
    }

    /// Whether a record matches the predicate. Variables are not supported, so `bindings` is ignored.
    public override func evaluate(
        with object: Any?,
        // The untyped dictionary is part of the overridden signature.
        substitutionVariables bindings: [String: Any]?
    ) -> Bool {
        evaluate(with: object)
    }

    /// Returns the same object, because the copy of the base class would lose the expression.
    public override func copy() -> Any { self }

    /// Returns the same object, because the copy of the base class would lose the expression.
    public override func copy(with zone: NSZone? = nil) -> Any { self }
}
