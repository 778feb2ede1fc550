import Foundation

/// Supplies statements one by one: from the command line, from a file, or from standard input as they arrive.
@MainActor
final class StatementSource {
    /// Whether standard input is a terminal.
    let isInteractive: Bool
    /// Whether the statements have meaningful line numbers.
    let isScript: Bool

    private var ready: [Statement]
    private var reader: StatementReader?
    private var line = 0

    /// Opens a source.
    ///
    /// - Throws: `ShellError` if a script cannot be read.
    init(_ input: ShellOptions.Input) throws {
        switch input {
        case .commands(let commands):
            isInteractive = false
            isScript = false
            ready = commands.enumerated().map { Statement(line: $0 + 1, text: $1) }
        case .file(let url) where url.path != "/dev/stdin":
            isInteractive = false
            isScript = true
            ready = Statement.statements(in: try Self.text(of: url))
        case .file, .standardInput:
            isInteractive = TerminalSize.isTerminal(STDIN_FILENO)
            isScript = true
            ready = []
            reader = StatementReader()
        }
    }

    /// The next statement; nil at the end. It waits for standard input if necessary.
    func next() -> Statement? {
        guard reader != nil else { return ready.isEmpty ? nil : ready.removeFirst() }
        var start = line + 1
        while let text = readLine(strippingNewline: true) {
            line += 1
            if reader?.isPending == false { start = line }
            if let statement = reader?.take(text) { return Statement(line: start, text: statement) }
        }
        return reader?.finish().map { Statement(line: start, text: $0) }
    }

    private static func text(of url: URL) throws -> String {
        do {
            return try String(contentsOf: url, encoding: .utf8)
        } catch {
            throw ShellError.usage("the script \(url.path) cannot be read")
        }
    }
}
