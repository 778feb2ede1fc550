import Records

/// An argument of an SQL statement.
package enum PostgresValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])
    case integers([Int64])
    case reals([Double])
    case texts([String])
    case byteStrings([[UInt8]])

    /// A text; NULL for nil.
    package static func optional(_ text: String?) -> PostgresValue { text.map(PostgresValue.text) ?? .null }

    /// An integer; NULL for nil.
    package static func optional(_ integer: Int64?) -> PostgresValue {
        integer.map(PostgresValue.integer) ?? .null
    }

    /// Bytes; NULL for nil.
    package static func optional(_ bytes: [UInt8]?) -> PostgresValue {
        bytes.map(PostgresValue.bytes) ?? .null
    }

    package static func count(_ count: Int) -> PostgresValue { .integer(Int64(count)) }
}

/// Arguments in PostgreSQL's binary form, ready to be passed to libpq.
struct PostgresArguments {
    /// The numbers of the types in PostgreSQL's catalog; 0 lets the server infer the type.
    private(set) var types: [UInt32] = []
    private(set) var lengths: [Int32] = []
    private var bytes: [UInt8] = []
    /// The place of each argument in `bytes`; -1 for NULL.
    private var starts: [Int] = []

    /// Throws `badRequest` for a text with the character NUL, which PostgreSQL cannot store.
    init(_ values: [PostgresValue]) throws(RecordError) {
        for value in values {
            switch value {
            case .text(let text) where text.utf8.contains(0): throw RecordError.nullCharacter
            case .texts(let texts) where texts.contains { $0.utf8.contains(0) }:
                throw RecordError.nullCharacter
            default: add(value)
            }
        }
    }

    var count: Int { types.count }

    /// Calls `body` with pointers to the arguments, which are valid during the call.
    func withPointers<T>(
        _ body: (_ values: UnsafePointer<UnsafePointer<CChar>?>?, _ formats: UnsafePointer<Int32>?) throws ->
            T
    ) rethrows -> T {
        let formats = [Int32](repeating: 1, count: count)
        return try bytes.withUnsafeBytes { memory in
            // An empty value needs an address, too, because libpq takes a null pointer for NULL.
            let base = memory.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
            let pointers = starts.map { start in
                start < 0 ? nil : base?.advanced(by: start).assumingMemoryBound(to: CChar.self)
            }
            return try body(pointers, formats)
        }
    }

    private mutating func add(_ value: PostgresValue) {
        let start = bytes.count
        switch value {
        case .null:
            types.append(0)
            starts.append(-1)
            lengths.append(0)
            return
        case .integer(let integer):
            types.append(TypeNumber.integer)
            bytes.append(bigEndian: integer)
        case .real(let real):
            types.append(TypeNumber.real)
            bytes.append(bigEndian: real.bitPattern)
        case .text(let text):
            types.append(TypeNumber.text)
            bytes.append(contentsOf: text.utf8)
        case .bytes(let value):
            types.append(TypeNumber.bytes)
            bytes.append(contentsOf: value)
        case .integers(let all):
            add(array: all, of: TypeNumber.integer, TypeNumber.integers) { $0.append(bigEndian: $1) }
        case .reals(let all):
            add(array: all, of: TypeNumber.real, TypeNumber.reals) { $0.append(bigEndian: $1.bitPattern) }
        case .texts(let all):
            add(array: all, of: TypeNumber.text, TypeNumber.texts) { $0.append(contentsOf: $1.utf8) }
        case .byteStrings(let all):
            add(array: all, of: TypeNumber.bytes, TypeNumber.byteStrings) { $0.append(contentsOf: $1) }
        }
        starts.append(start)
        lengths.append(Int32(bytes.count - start))
    }

    /// An array: the number of dimensions, whether it has NULLs, the type of its elements, their count, the
    /// first index, then each element after its length.
    private mutating func add<Element>(
        array: [Element], of element: UInt32, _ type: UInt32, _ append: (inout [UInt8], Element) -> Void
    ) {
        types.append(type)
        bytes.append(bigEndian: Int32(array.isEmpty ? 0 : 1))
        bytes.append(bigEndian: Int32(0))
        bytes.append(bigEndian: element)
        if array.isEmpty { return }
        bytes.append(bigEndian: Int32(array.count))
        bytes.append(bigEndian: Int32(1))
        for value in array {
            let place = bytes.count
            bytes.append(bigEndian: Int32(0))
            append(&bytes, value)
            let length = Int32(bytes.count - place - 4)
            withUnsafeBytes(of: length.bigEndian) { bytes.replaceSubrange(place..<place + 4, with: $0) }
        }
    }

    /// The numbers of types in PostgreSQL's catalog, which never change.
    private enum TypeNumber {
        static let bytes: UInt32 = 17
        static let integer: UInt32 = 20
        static let text: UInt32 = 25
        static let real: UInt32 = 701
        static let byteStrings: UInt32 = 1001
        static let texts: UInt32 = 1009
        static let integers: UInt32 = 1016
        static let reals: UInt32 = 1022
    }
}
