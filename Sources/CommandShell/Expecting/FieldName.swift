import Foundation

/// A field such as `name`, `thumbnail.width`, or `name[3]` for the third record.
public struct FieldName: Hashable, Sendable {
    /// The names, outermost first.
    public let path: [String]
    /// The number of the record, from 1; nil if none is given.
    public let record: Int?

    init(path: [String], record: Int? = nil) {
        self.path = path
        self.record = record
    }

    /// Parses a field name; nil if the text is invalid.
    init?(parsing text: String) {
        var name = Substring(text)
        var record: Int?
        if name.hasSuffix("]"), let open = name.firstIndex(of: "[") {
            guard let number = Int(name[name.index(after: open)..<name.index(before: name.endIndex)]),
                number > 0
            else { return nil }
            record = number
            name = name[..<open]
        }
        let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard path.allSatisfy({ $0.first?.isLetter == true }) else { return nil }
        self.init(path: path, record: record)
    }

    /// The name as it is typed at the prompt.
    var text: String {
        path.joined(separator: ".") + (record.map { "[\($0)]" } ?? "")
    }
}
