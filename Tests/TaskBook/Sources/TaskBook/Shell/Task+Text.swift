// Owns the task as it is typed and shown.
import Foundation

extension Task: Typeable {
    static let command = "task"

    mutating func set(_ field: String, to text: String) throws {
        switch field {
        case "title": title = text
        case "done": done = try Typed.flag(text)
        case "due": due = try Typed.date(text)
        default: throw Trouble("task has no field \(field)")
        }
    }

    var line: String {
        var words = [id]
        words.append("title=" + (title))
        words.append("done=" + (done ? "yes" : "no"))
        words.append("due=" + (due?.ISO8601Format() ?? "-"))
        return words.joined(separator: "  ")
    }
}
