import Foundation

/// Converts values to the objects that records hold, so that a number that was saved as `Int` can be read as
/// `Double` or `Bool`, as on Apple platforms.
enum FieldBox {
    /// The object for a value; a `RefusedValue` if a record cannot store it.
    static func object(of value: Any) -> any __CKRecordObjCValue {
        switch value {
        case let refused as RefusedValue: refused
        case let array as NSArray: list(of: array.map { $0 })
        case let number as NSNumber: checked(number)
        case let object as any __CKRecordObjCValue: object
        case let string as String: NSString(string: string)
        case let date as Date: date as NSDate
        case let data as Data: NSData(data: data)
        case let array as [any CKRecordValueProtocol]: list(of: array)
        default: RefusedValue("a value of type \(type(of: value)) cannot be stored in a field")
        }
    }

    private static func list(of values: [Any]) -> any __CKRecordObjCValue {
        let objects = values.map(object(of:))
        if let refused = objects.lazy.compactMap({ $0 as? RefusedValue }).first { return refused }
        guard !objects.contains(where: { $0 is NSArray }) else {
            return RefusedValue("a list cannot contain lists")
        }
        return NSArray(array: objects)
    }

    private static func checked(_ number: NSNumber) -> any __CKRecordObjCValue {
        let isUnsigned = UInt8(bitPattern: number.objCType.pointee) == UInt8(ascii: "Q")
        guard isUnsigned, number.uint64Value > UInt64(Int64.max) else { return number }
        return RefusedValue("the number \(number) does not fit into a signed integer of 64 bits")
    }
}

/// A placeholder in a field for a value that cannot be stored.
///
/// On Apple platforms the assignment raises an exception, which a Swift process on Linux could not catch.
/// Here the assignment succeeds, and the save fails with `CKError.invalidArguments`.
final class RefusedValue: NSObject, __CKRecordObjCValue {
    /// The reason for the refusal, without the field's name.
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }

    override var description: String { "<refused: \(reason)>" }
}
