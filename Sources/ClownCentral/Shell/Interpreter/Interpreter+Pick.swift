// Owns finding the one thing on this device that a word stands for.
import CommandText
import Foundation

extension Interpreter {
    /// The thing whose identifier or whole name the word is, else the only one whose name begins with it,
    /// whatever its case.
    func pick<Model>(
        _ word: Word, _ kind: String, _ remedy: String, from all: [Model], id: (Model) -> String,
        name: (Model) -> String
    ) throws -> Model {
        if let exact = all.first(where: { id($0) == word.text }) { return exact }
        let typed = word.text.lowercased()
        let same = all.filter { name($0).lowercased() == typed }
        let found = same.isEmpty ? all.filter { name($0).lowercased().hasPrefix(typed) } : same
        if found.count == 1, let only = found.first { return only }
        if found.isEmpty {
            throw Complaint(
                code: "notFound", message: "there is no \(kind) `\(word.text)`", span: word.range,
                suggestions: DidYouMean.suggestions(for: word.text, among: all.map(name)), remedy: remedy)
        }
        throw Complaint(
            code: "ambiguousName", message: "`\(word.text)` could be any of these; give an identifier",
            span: word.range, candidates: found.map { "\(name($0)) (\(id($0)))" })
    }
}
