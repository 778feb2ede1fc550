import Foundation

extension CKError: CustomStringConvertible {
    /// The code, the text and the time to wait on one line, for logs.
    public var description: String {
        let wait = retryAfterSeconds.map { "; retry after \($0) s" } ?? ""
        let parts = partialErrorsByItemID.map { "; \($0.count) items failed" } ?? ""
        return "<CKError: \(code) (\(code.rawValue)); \"\(localizedDescription)\"\(wait)\(parts)>"
    }

    /// The complete error on several lines: the code and text, the time to wait, the underlying error, and
    /// the same for each failed item.
    public var explanation: String {
        lines(about: nil).joined(separator: "\n")
    }

    private func lines(about item: String?) -> [String] {
        var lines = ["\(item.map { $0 + ": " } ?? "")\(code) (\(code.rawValue)): \(localizedDescription)"]
        if let wait = retryAfterSeconds { lines.append("  retry after \(wait) s") }
        if let below = userInfo[NSUnderlyingErrorKey] as? NSError {
            lines.append("  underlying error: \(below.domain) \(below.code)")
        }
        let items = (partialErrorsByItemID ?? [:]).map { (Self.name($0.key), $0.value) }
        for (name, error) in items.sorted(by: { $0.0 < $1.0 }) {
            let inner = (error as? CKError)?.lines(about: name) ?? ["\(name): \(error)"]
            lines += inner.map { "  " + $0 }
        }
        return lines
    }

    private static func name(_ item: AnyHashable) -> String {
        switch item.base {
        case let id as CKRecordID: id.recordName
        case let id as CKRecordZoneID: id.zoneName
        case let url as URL: url.absoluteString
        default: "\(item)"
        }
    }
}

extension CKError.Code {
    /// The internal number that CloudKit's logs show next to the code; nil where it is unknown.
    var internalNumber: Int? {
        switch self {
        case .partialFailure: 1011
        case .limitExceeded: 1020
        case .unknownItem: 2003
        case .serverRecordChanged: 2004
        default: nil
        }
    }
}
