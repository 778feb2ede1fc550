import Foundation

/// Shows the remaining arguments and flags after the line that is being typed.
struct ArgumentHint {
    let table: CommandTable

    /// The hint after the line; nil if the line names no command yet or is complete.
    func text(after line: String) -> String? {
        let scan = Tokenizer.scan(line)
        let words = Completer.withoutAddress(scan.words)
        guard scan.openQuote == nil, scan.comment == nil, let spec = try? table.command(for: words) else {
            return nil
        }
        let given = words.dropFirst(table.nameLength(of: spec, in: words))
        let flags = given.filter { !$0.isQuoted && $0.text.hasPrefix("--") }.map {
            String($0.text.dropFirst(2))
        }
        // While a flag waits for its value, the hint shows only that value.
        if let last = given.last, !last.isQuoted, last.text.hasPrefix("--") {
            guard let flag = spec.flag(String(last.text.dropFirst(2))), flag.kind != .nothing else {
                return nil
            }
            return blank(line) + flag.value
        }
        let valued = flags.count { spec.flag($0).map { $0.kind != .nothing } ?? false }
        let positions = given.count - flags.count - valued
        let rest =
            spec.arguments.dropFirst(max(positions, 0)).map(\.usage)
            + spec.flags.filter { !flags.contains($0.name) }.map(\.part)
        return rest.isEmpty ? nil : blank(line) + rest.joined(separator: " ")
    }

    private func blank(_ line: String) -> String { line.hasSuffix(" ") ? "" : " " }
}
