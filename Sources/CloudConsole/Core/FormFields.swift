import Records
import RecordsWire

/// The fields of a form or of a query string, in the order in which the browser sent them.
struct FormFields: Hashable, Sendable {
    private var pairs: [(name: String, value: String)] = []
    /// The index in `pairs` of the first field of each name.
    private var places: [String: Int] = [:]
    /// The number of bytes of all names and values, without files.
    private(set) var byteCount = 0
    /// The uploaded files, by the name of their input, in the order in which they were chosen.
    private(set) var files: [String: [[UInt8]]] = [:]

    /// The maximum number of fields of one form.
    static let maximumFields = 4000

    init() {}

    /// Decodes `name=value&…`. Throws `badRequest` for a text that is no such form, and `limitExceeded` for
    /// too many fields.
    init(_ text: some StringProtocol) throws(RecordError) {
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            if pairs.count >= Self.maximumFields {
                throw RecordError(
                    .limitExceeded, "a form has at most \(Self.maximumFields) fields", culprit: "body",
                    nextStep: "change less at a time")
            }
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard let name = Self.decoded(pair[..<equals]),
                let value = Self.decoded(pair[equals...].dropFirst())
            else {
                throw RecordError(
                    .badRequest, "the form cannot be read", culprit: "body", nextStep: "load the page again")
            }
            add(name, value)
        }
    }

    /// The texts and files of a form with files. An input in which no file was chosen is left out.
    init(_ form: MultipartForm) throws(RecordError) {
        for part in form.parts {
            if let fileName = part.fileName {
                if !fileName.isEmpty { files[part.name, default: []].append(Array(part.bytes)) }
                continue
            }
            guard let text = String(validating: part.bytes, as: UTF8.self), !text.utf8.contains(0) else {
                throw RecordError(
                    .badRequest, "the form cannot be read", culprit: "body", nextStep: "load the page again")
            }
            add(part.name, Self.withPlainBreaks(text))
        }
    }

    private mutating func add(_ name: String, _ value: String) {
        if places[name] == nil { places[name] = pairs.count }
        pairs.append((name, value))
        byteCount += name.utf8.count + value.utf8.count
    }

    private static func decoded(_ part: some Sequence<UInt8>) -> String? {
        let spaced = part.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        guard let text = String(validating: spaced, as: UTF8.self) else { return nil }
        return PercentEncoding.decode(text).map(Self.withPlainBreaks)
    }

    /// The text with LF line breaks, as the server stores it. Browsers send CR LF.
    static func withPlainBreaks(_ text: String) -> String {
        guard text.utf8.contains(13) else { return text }
        var plain: [UInt8] = []
        var wasReturn = false
        for byte in text.utf8 {
            if !(byte == 10 && wasReturn) { plain.append(byte == 13 ? 10 : byte) }
            wasReturn = byte == 13
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// The first value of a field; nil if it was not sent.
    subscript(name: String) -> String? { places[name].map { pairs[$0].value } }

    /// All values of a field.
    func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    /// The first value without spaces around it; nil if it is empty or was not sent.
    func text(_ name: String) -> String? {
        let text = self[name].map { Self.trimmed($0[...]) }
        return text == "" ? nil : text
    }

    /// The text without spaces and line breaks around it.
    static func trimmed(_ text: Substring) -> String {
        var bytes = text.utf8[...]
        while let first = bytes.first, first == 32 || first == 10 { bytes.removeFirst() }
        while let last = bytes.last, last == 32 || last == 10 { bytes.removeLast() }
        return String(Substring(bytes))
    }

    /// The value of a field that must be filled in. Throws `badRequest` if it is empty.
    func required(_ name: String) throws(RecordError) -> String {
        if let text = text(name) { return text }
        throw RecordError(
            .badRequest, "a field of the form is empty", culprit: name, nextStep: "fill in \(name)")
    }

    static func == (a: FormFields, b: FormFields) -> Bool {
        a.pairs.elementsEqual(b.pairs) { $0.name == $1.name && $0.value == $1.value }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(pairs.count) }
}
