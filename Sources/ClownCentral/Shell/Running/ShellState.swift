// Owns what a shell keeps from one statement to the next, apart from its session with the server.
import Foundation
import Synchronization

/// Names, and where and how answers go.
final class ShellState: Sendable {
    /// What is kept.
    struct Values: Sendable {
        var variables: [String: String] = [:]
        var isTiming = false
        /// Whether statements of scripts are shown before they are done.
        var isEchoing = false
        var mode: OutputMode?
        /// The file that answers go to.
        var output: URL?
        /// How many files are being read inside of each other.
        var depth = 0
    }

    private let values = Mutex(Values())

    var current: Values { values.withLock { $0 } }

    func change(_ work: (inout Values) -> Void) { values.withLock { work(&$0) } }

    /// A line with the names in it replaced by what they stand for; those that stand for nothing stay.
    func expanded(_ text: String, last: String?) -> String {
        let variables = current.variables
        return Substitution.replaced(in: text) { $0 == "_" ? last : variables[$0] }
    }
}
