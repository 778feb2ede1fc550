import Foundation

/// A field such as `name`, `thumbnail.width` or, of the third record, `name[3]`.
public struct FieldName: Hashable, Sendable {
    /// The names from the outside in.
    public let path: [String]
    /// Which record, counted from one.
    public let record: Int?

    init(path: [String], record: Int? = nil) {
        self.path = path
        self.record = record
    }

    /// Reads a field name, or answers nothing when `text` is none.
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

    /// The name as it is typed.
    var text: String {
        path.joined(separator: ".") + (record.map { "[\($0)]" } ?? "")
    }
}
