public import Foundation

/// A record type, a predicate, and an order.
///
/// A predicate or order that the service does not understand makes the operation fail with
/// `CKError.invalidArguments`, whose text says how to rewrite it.
// Sendable because the order lies behind a lock and predicates made here never change.
open class CKQuery: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let type: String
    private let condition: NSPredicate
    private let order: Locked<Order>

    // Sendable because no descriptor changes once it is made.
    private struct Order: @unchecked Sendable {
        var descriptors: [NSSortDescriptor]?
    }

    /// Asks for the records of that type which match the predicate.
    public init(recordType: CKRecord.RecordType, predicate: NSPredicate) {
        type = recordType
        condition = predicate
        order = Locked(Order())
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(PlainQuery.self, as: Self.archiveKey, from: coder) else { return nil }
        type = plain.recordType
        condition = plain.predicate.predicate
        order = Locked(Order(descriptors: plain.sorts?.map(\.descriptor)))
    }

    /// The kind of record asked for.
    open var recordType: CKRecord.RecordType { type }

    /// The condition records must meet.
    open var predicate: NSPredicate { condition }

    /// The order of the answers, most significant first; nil leaves it to the server.
    open var sortDescriptors: [NSSortDescriptor]? {
        get { order.current.descriptors }
        set {
            let new = Order(descriptors: newValue)
            order.withLock { $0 = new }
        }
    }

    /// Type and predicate, for people.
    open override var description: String {
        "<CKQuery: \(type) WHERE \(PredicateTree(condition).format)>"
    }

    /// A query with the same type, predicate and order; the predicate is not copied, since Foundation's
    /// copies lose what they say.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKQuery(recordType: type, predicate: condition)
        copy.sortDescriptors = sortDescriptors
        return copy
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the query under a key of this class, the predicate as format text with its arguments.
    open func encode(with coder: NSCoder) {
        Archive.write(PlainQuery(self), as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKQuery"
}

/// A query as archives hold it.
struct PlainQuery: Codable {
    var recordType: String
    var predicate: PlainPredicate
    var sorts: [PlainSort]?

    init(_ query: CKQuery) {
        recordType = query.recordType
        predicate = PlainPredicate(PredicateTree(query.predicate))
        sorts = query.sortDescriptors?.compactMap(PlainSort.init)
    }

    var query: CKQuery {
        let query = CKQuery(recordType: recordType, predicate: predicate.predicate)
        query.sortDescriptors = sorts?.map(\.descriptor)
        return query
    }
}
