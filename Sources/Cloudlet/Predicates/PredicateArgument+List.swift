import Foundation

extension PredicateArgument {
    /// Reads a C argument list as the placeholders of a predicate format prescribe. Returns nothing if the
    /// format has a syntax error.
    ///
    /// Like every reader of such a list it relies on the format: a placeholder that does not match the type
    /// of its argument can end the process.
    static func read(_ list: CVaListPointer, for format: String) -> [PredicateArgument] {
        guard let tokens = try? PredicateLexer.tokens(of: format) else { return [] }
        let characters = Array(format)
        let readings = tokens.compactMap { token -> Reading? in
            guard case .placeholder = token.kind else { return nil }
            return Reading(characters[token.position...].dropFirst())
        }
        // One call reads the whole list, because a platform may not let a second call continue it.
        let size = readings.count * longestText + 1
        var text = [CChar](repeating: 0, count: size)
        vsnprintf(&text, size, readings.map(\.conversion).joined(separator: " "), list)
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return zip(readings, String(decoding: bytes, as: UTF8.self).split(separator: " "))
            .map { reading, text in reading.argument(String(text)) }
    }

    /// An upper bound for the characters of a number or address that `printf` writes, with a separator.
    private static let longestText = 64
}

/// How to read one argument of a C argument list: its conversion for `printf`, and the meaning of the result.
private enum Reading {
    case object, cString, double, longDouble
    case integer(isLong: Bool, isSigned: Bool)
    case unsupported(String)

    /// Creates the reading of a placeholder, from the characters after its `%`.
    init(_ characters: ArraySlice<Character>) {
        let lengths = characters.prefix { "hlqzLtj".contains($0) || $0.isNumber || $0 == "." }
        let isLong = lengths.contains { "lqztj".contains($0) }
        switch characters.dropFirst(lengths.count).first {
        case "@", "K": self = .object
        case "s": self = .cString
        case "d", "i", "c", "C": self = .integer(isLong: isLong, isSigned: true)
        case "u", "x", "X", "o": self = .integer(isLong: isLong, isSigned: false)
        case "D": self = .integer(isLong: true, isSigned: true)
        case "U": self = .integer(isLong: true, isSigned: false)
        case "f", "F", "e", "E", "g", "G", "a", "A": self = lengths.contains("L") ? .longDouble : .double
        default: self = .unsupported("string of 16-bit characters (%S)")
        }
    }

    var conversion: String {
        switch self {
        case .object, .cString, .unsupported: "%p"
        case .double: "%a"
        case .longDouble: "%La"
        case .integer(let isLong, let isSigned): "%" + (isLong ? "l" : "") + (isSigned ? "d" : "u")
        }
    }

    /// The argument that `printf` wrote as this text.
    func argument(_ text: String) -> PredicateArgument {
        switch self {
        case .object:
            PredicateArgument(
                Self.address(text).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() })
        case .cString:
            PredicateArgument(
                Self.address(text).map { String(cString: $0.assumingMemoryBound(to: CChar.self)) })
        case .double, .longDouble: PredicateArgument(Double(text))
        case .integer:
            // A number above `Int64.max` becomes a floating-point number.
            if let number = Int64(text) { PredicateArgument(number) } else { PredicateArgument(Double(text)) }
        case .unsupported(let name): .refused(name)
        }
    }

    /// The address that `%p` wrote; nil for the null pointer.
    private static func address(_ text: String) -> UnsafeRawPointer? {
        text.hasPrefix("0x")
            ? UInt(text.dropFirst(2), radix: 16).flatMap(UnsafeRawPointer.init(bitPattern:)) : nil
    }
}

extension CKRecord: CVarArg {
    /// The address of the object, for the placeholder `%@`.
    public var _cVarArgEncoding: [Int] { [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())] }
}

extension CKRecordID: CVarArg {
    /// The address of the object, for the placeholder `%@`.
    public var _cVarArgEncoding: [Int] { [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())] }
}

extension CKReference: CVarArg {
    /// The address of the object, for the placeholder `%@`.
    public var _cVarArgEncoding: [Int] { [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())] }
}
