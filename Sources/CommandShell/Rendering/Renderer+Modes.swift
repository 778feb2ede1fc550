import Foundation

extension Renderer {
    /// The records of an answer in the modes `line`, `jsonl`, `csv` and `markdown`; nil in the other modes,
    /// and for an answer without records.
    func recordsInMode(_ answer: Answer) -> String? {
        guard !answer.entries.isEmpty else { return nil }
        switch mode {
        case .table, .json: return nil
        case .line: return answer.entries.map(sheet).joined(separator: "\n")
        case .jsonl: return answer.entries.map { $0.fields.json.text + "\n" }.joined()
        case .csv: return isForScreen ? VisibleText.escaped(Self.csv(answer)) : Self.csv(answer)
        case .markdown: return VisibleText.escaped(Self.markdown(answer))
        }
    }

    private static func columns(_ answer: Answer) -> [(heading: String, path: [String])] {
        if !answer.columns.isEmpty { return answer.columns.map { ($0.heading.lowercased(), $0.path) } }
        return (answer.entries.first?.fields ?? []).map { ($0.name, [$0.name]) }
    }

    private static func rows(_ answer: Answer) -> [[String]] {
        let columns = columns(answer)
        let head = columns.map { $0.path.joined(separator: ".") }
        return [head]
            + answer.entries.map { entry in
                columns.map { entry.value($0.path)?.json.plain ?? "" }
            }
    }

    private static func csv(_ answer: Answer) -> String {
        rows(answer).map { $0.map(quotedForCSV).joined(separator: ",") + "\n" }.joined()
    }

    /// A CSV value, quoted according to RFC 4180 if necessary.
    private static func quotedForCSV(_ text: String) -> String {
        // CR and LF together are one `Character`, hence `isNewline`.
        let isPlain = !text.contains { $0 == "\"" || $0 == "," || $0.isNewline }
        return isPlain ? text : "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }

    private static func markdown(_ answer: Answer) -> String {
        var lines = rows(answer).map { row in
            "| " + row.map(quotedForMarkdown).joined(separator: " | ") + " |\n"
        }
        lines.insert("|" + String(repeating: "---|", count: columns(answer).count) + "\n", at: 1)
        return lines.joined()
    }

    private static func quotedForMarkdown(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 }).replacingOccurrences(of: "|", with: "\\|")
    }
}

extension JSONValue {
    /// The value as text without quotes; empty for null.
    fileprivate var plain: String {
        switch self {
        case .null: ""
        case .string(let text): text
        default: text
        }
    }
}
