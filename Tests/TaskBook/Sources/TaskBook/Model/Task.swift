// Owns the task as a plain value. The README says what else a new property needs.
import Foundation

struct Task: Identifiable, Hashable, Sendable {
    /// The record name that it is stored under.
    let id: String
    var title: String = ""
    var done: Bool = false
    var due: Date? = nil

    init(id: String) {
        self.id = id
    }
}
