import Foundation
import Synchronization

/// The state of a shell that lasts from one statement to the next.
final class ShellState: Sendable {
    /// The values of the state.
    struct Values: Sendable {
        var variables: [String: String] = [:]
        var isTiming = false
        /// Whether to show the statements of scripts before they run.
        var isEchoing = false
        var mode: OutputMode?
        /// The file that answers are written to; nil prints them.
        var output: URL?
        /// The nesting depth of scripts and favourites that are running.
        var depth = 0
        /// The result of the previous command.
        var last: LastResult = .nothing
    }

    private let values = Mutex(Values())

    var current: Values { values.withLock { $0 } }

    func change(_ work: (inout Values) -> Void) { values.withLock { work(&$0) } }

    /// The current values of the variables; nil for a name that is not set.
    func currentValues() -> (_ name: String) -> String? {
        let (variables, last) = (current.variables, lastIdentifier)
        return { $0 == "_" ? last : variables[$0] }
    }

    /// Throws `ShellError` if the file name contains `$_` and the value of `$_` is no plain file name: other
    /// people choose the names of their records, which could be paths.
    func checkRecordName(in file: Word?) throws {
        guard let file, file.text.contains("$_"), let name = lastIdentifier else { return }
        let isPlain = !name.contains("/") && !name.hasPrefix(".") && !name.hasPrefix("~")
        if isPlain { return }
        throw ShellError(
            code: "badFile",
            message: "$_ is \(name), which cannot be part of a file name",
            span: file.range, remedy: "type the file name")
    }

    /// The identifier of the first record in the last command's answer, otherwise its URL.
    private var lastIdentifier: String? {
        guard case .answer(let answer) = current.last else { return nil }
        let value = ["id", "record", "url"].lazy.compactMap { answer.entries.first?.value([$0]) }.first
        if case .text(let text)? = value { return text }
        return nil
    }
}
