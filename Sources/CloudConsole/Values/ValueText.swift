import Foundation
import Records
import RecordsWire

/// Converts values of fields to the texts of forms and back.
///
/// Times are in ISO 8601 and UTC. A time that ISO 8601 would not restore exactly is in milliseconds since
/// 1970: `253402300800000 ms`. Bytes are in base64, a location is `latitude, longitude`, a reference is the
/// name of its target. Each element of a list is on a line of its own, with `\n` for a line break and `\\`
/// for a backslash; `[]` is an empty list.
enum ValueText {
    // MARK: Value to text

    static func text(of value: FieldValue) -> String { beginning(of: value, bytes: .max) }

    /// The text of a value, or a beginning of the text that is longer than `bytes`. So a page does not
    /// convert all elements of a long list to show a few of them.
    static func beginning(of value: FieldValue, bytes: Int) -> String {
        switch value {
        case .string(let text): text
        case .int64(let number): String(number)
        case .double(let number): String(number)
        case .timestamp(let time): Self.text(of: time)
        case .bytes(let all):
            // Base64 encodes three bytes as four characters.
            Base64.encode(bytes < all.count ? Array(all.prefix(bytes / 3 * 3 + 3)) : all)
        case .reference(let reference): reference.recordName
        case .asset(let asset): asset.fileChecksum
        case .location(let place): "\(place.latitude), \(place.longitude)"
        case .list(_, let values): beginning(of: values, bytes)
        }
    }

    private static func beginning(of values: [FieldValue], _ bytes: Int) -> String {
        guard let first = values.first else { return "[]" }
        var text = escaped(beginning(of: first, bytes: bytes))
        for value in values.dropFirst() where text.utf8.count <= bytes {
            text += "\n" + escaped(beginning(of: value, bytes: bytes))
        }
        return text
    }

    static func text(of time: Timestamp) -> String {
        if calendar.contains(time.milliseconds) {
            // The style would round a fraction of a second down, and a `Date` holds it only approximately.
            let fraction = (time.milliseconds % 1000 + 1000) % 1000
            let seconds = Date(timeIntervalSince1970: Double((time.milliseconds - fraction) / 1000))
            var text = seconds.formatted(Date.ISO8601FormatStyle())
            if fraction != 0 { text = "\(text.dropLast()).\(String(1000 + fraction).dropFirst())Z" }
            if Self.time(text) == time { return text }
        }
        return "\(time.milliseconds)\(sinceEpoch)"
    }

    /// The times, in milliseconds since 1970, that are written in ISO 8601: from 1583, the first complete
    /// year of the Gregorian calendar, to 9999.
    private static let calendar: ClosedRange<Int64> = -12_212_553_600_000...253_402_300_799_999
    private static let sinceEpoch = " ms"

    // MARK: Text to value

    /// The value of a text for a field of a type. Throws `badRequest` that names the field.
    static func value(
        _ text: String, _ type: FieldType, field: String, action: Reference.Action = .none
    ) throws(RecordError) -> FieldValue {
        guard case .list(let element) = type else {
            return try scalar(text, type.element, field: field, action: action)
        }
        if text == "[]" { return .list(element, []) }
        return try list(
            text.utf8.split(separator: 10, omittingEmptySubsequences: false).map { unescaped(Substring($0)) },
            element, field: field, action: action)
    }

    /// A list of such texts.
    static func list(
        _ texts: [String], _ element: ScalarType, field: String, action: Reference.Action = .none
    ) throws(RecordError) -> FieldValue {
        var values: [FieldValue] = []
        for text in texts { values.append(try scalar(text, element, field: field, action: action)) }
        return .list(element, values)
    }

    private static func scalar(
        _ text: String, _ type: ScalarType, field: String, action: Reference.Action
    ) throws(RecordError) -> FieldValue {
        if type == .string { return .string(text) }
        let bare = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let value: FieldValue? =
            switch type {
            case .string: .string(text)
            case .int64: Int64(bare).map { .int64($0) }
            case .double: Double(bare).flatMap { $0.isFinite ? .double($0) : nil }
            case .timestamp: time(bare).map { .timestamp($0) }
            case .bytes: Base64.decode(bare).map { .bytes($0) }
            case .reference: bare.isEmpty ? nil : .reference(Reference(recordName: bare, action: action))
            case .location: location(bare).map { .location($0) }
            case .asset: nil
            }
        if let value { return value }
        throw RecordError(
            .badRequest, "the value is not \(type.example)", culprit: field, nextStep: "correct it")
    }

    /// A location from the text `latitude, longitude`; nil for any other text and for invalid coordinates.
    static func location(_ text: String) -> Location? {
        let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { Substring($0).trimmingCharacters(in: .whitespaces) }
        guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]),
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { return nil }
        return Location(latitude: latitude, longitude: longitude)
    }

    private static func time(_ text: String) -> Timestamp? {
        if text.hasSuffix(sinceEpoch) {
            return Int64(text.dropLast(sinceEpoch.count)).map { Timestamp(milliseconds: $0) }
        }
        for fraction in [false, true] {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: fraction)
            if let date = try? style.parse(text) { return Timestamp(date, rounded: .toNearestOrAwayFromZero) }
        }
        return nil
    }

    // MARK: Lines of a list

    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 10 || $0 == UInt8(ascii: "\\") }) || text == "[]" else {
            return text
        }
        if text == "[]" { return "\\[]" }
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 10: result += Array("\\n".utf8)
            case UInt8(ascii: "\\"): result += Array("\\\\".utf8)
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func unescaped(_ text: Substring) -> String {
        var result: [UInt8] = []
        var isEscape = false
        for byte in text.utf8 {
            if isEscape {
                result.append(byte == UInt8(ascii: "n") ? 10 : byte)
                isEscape = false
            } else if byte == UInt8(ascii: "\\") {
                isEscape = true
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension ScalarType {
    /// An example of a text for the type.
    var example: String {
        switch self {
        case .string: "a text"
        case .int64: "a whole number"
        case .double: "a number such as 3.5"
        case .timestamp: "a time such as 2014-06-02T12:00:00Z"
        case .bytes: "base64"
        case .reference: "the name of a record"
        case .asset: "a file"
        case .location: "a place such as 37.33, -122.03"
        }
    }
}

extension Int64 {
    /// The quotient, rounded down, and the remainder, which is not negative.
    fileprivate func flooredQuotientAndRemainder(by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
