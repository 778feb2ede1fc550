import Foundation
import Synchronization

/// Names, the last result, and where and how answers go.
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
        /// What the command before came to.
        var last: LastResult = .nothing
    }

    private let values = Mutex(Values())

    var current: Values { values.withLock { $0 } }

    func change(_ work: (inout Values) -> Void) { values.withLock { work(&$0) } }

    /// A line with the names in it replaced by what they stand for; those that stand for nothing stay.
    func expanded(_ text: String) -> String {
        let (variables, last) = (current.variables, lastIdentifier)
        return Substitution.replaced(in: text) { $0 == "_" ? last : variables[$0] }
    }

    /// The identifier of the first record that the last command answered.
    private var lastIdentifier: String? {
        guard case .answer(let answer) = current.last else { return nil }
        let value = answer.entries.first?.value(["id"]) ?? answer.entries.first?.value(["record"])
        if case .text(let text)? = value { return text }
        return nil
    }
}
