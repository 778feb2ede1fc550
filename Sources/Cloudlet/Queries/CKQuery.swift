public import Foundation

/// A query: a record type, a predicate, and a sort order.
///
/// If the service does not support a predicate or sort order, the operation fails with
/// `CKError.invalidArguments`, and the error text says how to rewrite it.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckquery>.
// Sendable because the sort order is behind a lock, and the predicates created here are immutable.
open class CKQuery: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let type: String
    private let condition: NSPredicate
    private let order: Locked<Order>

    // Sendable because no descriptor changes once it is made.
    private struct Order: @unchecked Sendable {
        var descriptors: [NSSortDescriptor]?
    }

    /// Creates a query for the records of this type that match the predicate.
    public init(recordType: CKRecord.RecordType, predicate: NSPredicate) {
        type = recordType
        condition = predicate
        order = Locked(Order())
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(ArchivedQuery.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        type = plain.recordType
        condition = plain.predicate.predicate
        order = Locked(Order(descriptors: plain.sorts?.map(\.descriptor)))
    }

    /// The record type to query.
    open var recordType: CKRecord.RecordType { type }

    /// The condition that a record must match.
    open var predicate: NSPredicate { condition }

    /// The sort order, most significant descriptor first; nil lets the server decide.
    open var sortDescriptors: [NSSortDescriptor]? {
        get { order.current.descriptors }
        set {
            let new = Order(descriptors: newValue)
            order.withLock { $0 = new }
        }
    }

    /// The record type and the predicate, for logs.
    open override var description: String {
        "<CKQuery: \(type) WHERE \(PredicateTree(condition).format)>"
    }

    /// Returns a query with the same type, predicate and sort order. It shares the predicate object, because
    /// Foundation's copies lose the expression.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKQuery(recordType: type, predicate: condition)
        copy.sortDescriptors = sortDescriptors
        return copy
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the query under a key of this class; the predicate is stored as format text with its arguments.
    open func encode(with coder: NSCoder) {
        Archive.write(ArchivedQuery(self), as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKQuery"
}

/// The archived form of a query.
struct ArchivedQuery: Codable {
    var recordType: String
    var predicate: ArchivedPredicate
    var sorts: [ArchivedSort]?

    init(_ query: CKQuery) {
        recordType = query.recordType
        predicate = ArchivedPredicate(PredicateTree(query.predicate))
        sorts = query.sortDescriptors?.compactMap(ArchivedSort.init)
    }

    var query: CKQuery {
        let query = CKQuery(recordType: recordType, predicate: predicate.predicate)
        query.sortDescriptors = sorts?.map(\.descriptor)
        return query
    }
}
