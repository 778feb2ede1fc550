import Foundation
import Records

/// The type of a property's value.
enum PropertyKind: Sendable {
    case text, flag, whole, number, date, texts, photo
    /// The ID of another model, with which this one may be deleted.
    case reference(any Model.Type, deletesAlong: Bool)
    /// The IDs of several other models.
    case references(any Model.Type)
}

/// A property of a model: its key in records, its type, and access to its value.
///
/// Other devices and older versions of the app use the key. So a property may be renamed, but its key must
/// stay the same.
struct Property<Owner>: Sendable {
    typealias Path<Value> = WritableKeyPath<Owner, Value> & Sendable

    let key: String
    let kind: PropertyKind
    let get: @Sendable (Owner) -> FieldValue?
    let set: @Sendable (inout Owner, FieldValue?) -> Void

    static func text(_ key: String, _ path: Path<String>) -> Self { Self(key, .text, path, or: "") }
    static func flag(_ key: String, _ path: Path<Bool>) -> Self { Self(key, .flag, path, or: false) }
    static func whole(_ key: String, _ path: Path<Int>) -> Self { Self(key, .whole, path, or: 0) }
    static func number(_ key: String, _ path: Path<Double>) -> Self { Self(key, .number, path, or: 0) }
    static func date(_ key: String, _ path: Path<Date?>) -> Self { Self(key, .date, path) }
    static func texts(_ key: String, _ path: Path<[String]>) -> Self { Self(key, .texts, path, or: []) }
    static func photo(_ key: String, _ path: Path<Asset?>) -> Self { Self(key, .photo, path) }

    /// A property with the ID of another model, stored as a reference. With `deletesAlong`, deleting the
    /// other model deletes this one too.
    static func reference(
        _ key: String, _ path: Path<String?>, to type: any Model.Type, deletesAlong: Bool = true
    ) -> Self {
        let action: Reference.Action = deletesAlong ? .deleteSelf : .none
        return Self(
            key: key, kind: .reference(type, deletesAlong: deletesAlong),
            get: { $0[keyPath: path].map { Reference(recordName: $0, action: action).fieldValue } },
            set: { $0[keyPath: path] = $1.flatMap(Reference.init(fieldValue:))?.recordName })
    }

    /// A property with the IDs of several other models (many-to-many): another model may be in this property
    /// of several models.
    static func references(_ key: String, _ path: Path<[String]>, to type: any Model.Type) -> Self {
        Self(key, .references(type), path, or: [])
    }
}

extension Property {
    private init<Value: FieldConvertible & Sendable>(
        _ key: String, _ kind: PropertyKind, _ path: Path<Value>, or start: Value
    ) {
        self.init(
            key: key, kind: kind, get: { $0[keyPath: path].fieldValue },
            set: { $0[keyPath: path] = $1.flatMap(Value.init(fieldValue:)) ?? start })
    }

    private init<Value: FieldConvertible & Sendable>(
        _ key: String, _ kind: PropertyKind, _ path: Path<Value?>
    ) {
        self.init(
            key: key, kind: kind, get: { $0[keyPath: path]?.fieldValue },
            set: { $0[keyPath: path] = $1.flatMap(Value.init(fieldValue:)) })
    }
}
