// Owns the step as a plain value. The README says what else a new property needs.
import Foundation

struct Step: Identifiable, Hashable, Sendable {
    /// The record name that it is stored under.
    let id: String
    var text: String = ""
    var value: Int = 0
    var weight: Double = 0

    init(id: String) {
        self.id = id
    }
}
