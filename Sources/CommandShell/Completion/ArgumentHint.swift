import Foundation

/// The rest of a command's shape.
struct ArgumentHint {
    let table: CommandTable

    /// What follows what is typed, or nothing when no command is named yet, or all is there.
    func text(behind line: String) -> String? {
        let scan = Tokenizer.scan(line)
        let words = Completer.withoutAddress(scan.words)
        guard scan.openQuote == nil, scan.comment == nil, let spec = try? table.command(for: words) else {
            return nil
        }
        let given = words.dropFirst(table.nameLength(of: spec, in: words))
        let flags = given.filter { !$0.isQuoted && $0.text.hasPrefix("--") }.map {
            String($0.text.dropFirst(2))
        }
        // A flag that waits for its value takes the place of everything else.
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
            + spec.flags.filter { !flags.contains($0.name) }.map { "[\($0.usage)]" }
        return rest.isEmpty ? nil : blank(line) + rest.joined(separator: " ")
    }

    private func blank(_ line: String) -> String { line.hasSuffix(" ") ? "" : " " }
}
