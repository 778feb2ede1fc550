import Records

/// A form with files, in the format `multipart/form-data` (RFC 7578). It is read completely into memory; its
/// length is limited like that of every form.
struct MultipartForm: Sendable {
    /// One input of the form.
    struct Part: Sendable {
        var name: String
        /// The name of the file that was chosen; nil for an input without a file.
        var fileName: String?
        var bytes: ArraySlice<UInt8>
    }

    let parts: [Part]

    private static let lineBreak: [UInt8] = [13, 10]

    /// Throws `badRequest` for bytes that are no such form, and `limitExceeded` for too many inputs.
    init(_ bytes: [UInt8], boundary: String) throws(RecordError) {
        let delimiter = Array("--\(boundary)".utf8)
        guard bytes.starts(with: delimiter) else { throw Self.unreadable }
        var parts: [Part] = []
        var rest = bytes[delimiter.count...]
        while true {
            if rest.starts(with: Array("--".utf8)) { break }
            guard rest.starts(with: Self.lineBreak) else { throw Self.unreadable }
            rest = rest.dropFirst(2)
            guard let headersEnd = Self.position(of: Self.lineBreak + Self.lineBreak, in: rest) else {
                throw Self.unreadable
            }
            let content = rest[(headersEnd + 4)...]
            guard let end = Self.position(of: Self.lineBreak + delimiter, in: content) else {
                throw Self.unreadable
            }
            if parts.count >= FormFields.maximumFields {
                throw RecordError(
                    .limitExceeded, "a form has at most \(FormFields.maximumFields) fields", culprit: "body",
                    nextStep: "change less at a time")
            }
            let headers = String(decoding: rest[..<headersEnd], as: UTF8.self)
            guard let name = Self.parameter("name", of: headers) else { throw Self.unreadable }
            parts.append(
                Part(name: name, fileName: Self.parameter("filename", of: headers), bytes: content[..<end]))
            rest = content[(end + 2 + delimiter.count)...]
        }
        self.parts = parts
    }

    /// The index of the first occurrence. The search looks for the first byte of the pattern, a carriage
    /// return, which is rare in texts.
    private static func position(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        var start = bytes.startIndex
        while let found = bytes[start...].firstIndex(of: 13) {
            if bytes[found...].starts(with: pattern) { return found }
            start = found + 1
        }
        return nil
    }

    /// A parameter of the header `Content-Disposition`, in the form that browsers send.
    private static func parameter(_ name: String, of headers: String) -> String? {
        let line = headers.split(separator: "\r\n").first {
            $0.lowercased().hasPrefix("content-disposition:")
        }
        for parameter in line?.split(separator: ";").dropFirst() ?? [] {
            let parameter = parameter.drop { $0 == " " }
            guard parameter.hasPrefix("\(name)=\"") else { continue }
            let value = String(parameter.dropFirst(name.utf8.count + 2).prefix { $0 != "\"" })
            return value.replacing("%22", with: "\"").replacing("%0D", with: "\r")
                .replacing("%0A", with: "\n")
        }
        return nil
    }

    private static let unreadable = RecordError(
        .badRequest, "the form cannot be read", culprit: "body", nextStep: "load the page again")
}
