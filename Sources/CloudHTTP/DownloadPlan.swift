import HTTPTypes

/// How to answer a request for a file, according to its headers.
enum DownloadPlan: Hashable, Sendable {
    case whole
    /// These bytes of the file.
    case part(Range<Int64>)
    /// The client has the file already.
    case notModified
    /// The file has none of the requested bytes.
    case unsatisfiable

    /// - Parameters:
    ///   - tag: the file's entity tag, with its quotes.
    ///   - size: of the whole file, in bytes.
    init(_ headers: HTTPFields, tag: String, size: Int64) {
        if let known = headers[.ifNoneMatch], Self.names(known, tag) {
            self = .notModified
            return
        }
        guard let text = headers[.range], Self.isInForce(headers[.ifRange], tag),
            let range = Self.range(text, size: size)
        else {
            self = .whole
            return
        }
        self = range.isEmpty ? .unsatisfiable : .part(range)
    }

    /// Whether a list of entity tags contains this one or `*`. A weak tag matches too, since the content is
    /// the same.
    private static func names(_ list: String, _ tag: String) -> Bool {
        list.split(separator: ",").contains { entry in
            let entry = entry.drop { $0 == " " }.prefix { $0 != " " }
            return entry == "*" || entry == tag || entry == "W/" + tag
        }
    }

    /// Whether `If-Range` allows the range: it must be the file's tag. A date never matches, because answers
    /// have no `Last-Modified`.
    private static func isInForce(_ condition: String?, _ tag: String) -> Bool {
        condition.map { $0 == tag } ?? true
    }

    /// Returns the requested bytes; an empty range if the file has none of them; nil for several ranges or a
    /// header that cannot be parsed, which a server may ignore.
    private static func range(_ text: String, size: Int64) -> Range<Int64>? {
        guard text.hasPrefix("bytes=") else { return nil }
        let parts = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else {
            return nil
        }
        let (first, last) = (parts[0], parts[1])
        if first.isEmpty {
            guard let count = Int64(last) else { return nil }
            return max(0, size - count)..<size
        }
        guard let start = Int64(first) else { return nil }
        if last.isEmpty { return start < size ? start..<size : size..<size }
        guard let end = Int64(last), end >= start else { return nil }
        return start < size ? start..<min(end, size - 1) + 1 : size..<size
    }
}
