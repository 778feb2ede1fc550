import Foundation
internal import Records

/// One argument of a predicate format.
enum PredicateArgument: Hashable, Sendable {
    /// A constant; nil stands for `NULL`.
    case value(FieldValue?)
    /// An object of a class that the service cannot compare with; the value is the class name.
    case refused(String)

    /// Converts an argument of one of the classes that a query supports.
    init(_ argument: Any?) {
        switch argument {
        case nil, is NSNull: self = .value(nil)
        case let record as CKRecord:
            self = .value(.reference(Reference(CKReference(record: record, action: .none))))
        case let id as CKRecordID:
            self = .value(.reference(Reference(CKReference(recordID: id, action: .none))))
        case let reference as CKReference:
            self = .value(
                .reference(Reference(CKReference(recordID: reference.recordID, action: .none))))
        case let set as NSSet: self = Self.list(set.map { $0 })
        case let array as NSArray: self = Self.list(array.map { $0 })
        case let array as [Any]: self = Self.list(array)
        case let set as Set<AnyHashable>: self = Self.list(set.map(\.base))
        case let value?:
            if let unwrapped = Self.unwrapped(value) {
                self =
                    FieldValue(FieldBox.object(of: unwrapped)).map { .value($0) }
                    ?? .refused(String(describing: type(of: unwrapped)))
            } else {
                self = .value(nil)
            }
        }
    }

    /// The text of the argument, which a `%K` placeholder needs; nil for other arguments.
    var text: String? {
        if case .value(.string(let text)) = self { text } else { nil }
    }

    private static func list(_ elements: [Any]) -> PredicateArgument {
        var values: [FieldValue] = []
        for element in elements {
            switch PredicateArgument(element) {
            case .value(let value?): values.append(value)
            case .value(nil): return .refused("NSNull")
            case .refused(let name): return .refused(name)
            }
        }
        return .value(.unchecked(list: values))
    }

    /// Unwraps an optional that was passed as `Any`; nil if it is empty.
    private static func unwrapped(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.map(\.value)
    }
}
