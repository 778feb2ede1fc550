import Foundation

/// Completes commands, flags and values from the command table.
struct Completer {
    let table: CommandTable

    /// The word at the cursor and the source of its candidates.
    ///
    /// - Parameter cursor: The position in characters.
    func site(line: String, cursor: Int) -> CompletionSite {
        let head = String(line.prefix(cursor))
        let scan = Tokenizer.scan(head)
        let end = head.count
        let isTyping = scan.openQuote != nil || scan.words.last?.range.upperBound == end
        let current = isTyping ? scan.words.last ?? Word("", range: end..<end) : Word("", range: end..<end)
        let typed = isTyping ? Array(scan.words.dropLast()) : scan.words
        let before = Self.withoutAddress(typed)
        let source = scan.comment == nil ? self.source(before: before, current: current) : .nothing
        return CompletionSite(
            range: current.range.lowerBound..<end, typed: current.text, source: source,
            head: before.map(\.text), given: values(in: before))
    }

    /// The words after the command's name that are not flags.
    private func values(in words: [Word]) -> [String] {
        guard let spec = try? table.command(for: words) else { return [] }
        return words.dropFirst(table.nameLength(of: spec, in: words))
            .filter { $0.isQuoted || !$0.text.hasPrefix("--") }.map(\.text)
    }

    /// The words without a leading address such as `alice@phone:`, which may precede any command.
    static func withoutAddress(_ words: [Word]) -> [Word] {
        guard let first = words.first, !first.isQuoted, first.text.contains(/^[\w.-]+@[\w.-]+:$/) else {
            return words
        }
        return Array(words.dropFirst())
    }

    /// The completion at a site.
    ///
    /// - Parameter found: All candidates, including those that do not match the typed text.
    func completion(at site: CompletionSite, among found: [Candidate]) -> Completion {
        let matches = Self.matches(site.typed, among: found)
        guard let first = matches.first else {
            return Completion(range: site.range, insertion: nil, candidates: [])
        }
        if matches.count == 1 {
            return Completion(range: site.range, insertion: Self.whole(first), candidates: [])
        }
        let common = matches.dropFirst().reduce(first.text) { Self.commonPrefix($0, $1.text) }
        let hasNames = matches.contains(where: \.isName)
        // Matches that contain the typed text elsewhere may have a common prefix that does not begin with it.
        let isLonger = common.count > site.typed.count && Self.begins(common, with: site.typed)
        let insertion = isLonger ? Self.partial(common, isName: hasNames) : nil
        return Completion(range: site.range, insertion: insertion, candidates: matches)
    }

    private func source(before: [Word], current: Word) -> CompletionSite.Source {
        guard !before.isEmpty else { return .words(firstWords()) }
        guard let spec = try? table.command(for: before) else {
            return before.count == 1 ? .words(verbs(of: before[0].text)) : .nothing
        }
        let given = Array(before.dropFirst(table.nameLength(of: spec, in: before)))
        let found = source(of: spec, given: given, current: current)
        // The first word may be both a command and a group, for example `sync`: then its verbs come first.
        let verbs = before.count == 1 ? verbs(of: before[0].text) : []
        if verbs.isEmpty || current.isQuoted || current.text.hasPrefix("-") { return found }
        switch found {
        case .live(let kind, let words): return .live(kind, or: verbs + words)
        case .words(let words): return .words(verbs + words)
        case .nothing: return .words(verbs)
        case .files: return found
        }
    }

    private func source(of spec: CommandSpec, given: [Word], current: Word) -> CompletionSite.Source {
        var positions = 0
        var used: Set<String> = []
        var pending: FlagSpec?
        for word in given {
            if pending != nil {
                pending = nil
            } else if !word.isQuoted, word.text.hasPrefix("--"),
                let flag = flag(String(word.text.dropFirst(2)), of: spec)
            {
                used.insert(flag.name)
                pending = flag.kind == .nothing ? nil : flag
            } else {
                positions += 1
            }
        }
        if let pending { return source(of: pending.kind, given: given) }
        let flags = (spec.flags + [CommandTable.jsonFlag]).filter { !used.contains($0.name) }
        if current.text.hasPrefix("-"), !current.isQuoted { return .words(flags.map(Self.candidate)) }
        guard let argument = spec.argument(at: positions) else { return .words(flags.map(Self.candidate)) }
        return source(of: argument.kind, given: given)
    }

    private func flag(_ name: String, of spec: CommandSpec) -> FlagSpec? {
        spec.flag(name) ?? (name == CommandTable.jsonFlag.name ? CommandTable.jsonFlag : nil)
    }

    private func source(of kind: ValueKind, given: [Word]) -> CompletionSite.Source {
        switch kind.source {
        case .program: .live(kind)
        case .files: .files
        case .words(let candidates): .words(candidates)
        case .commands: .words(topics(after: given.map(\.text)))
        case .claims: .words(given.isEmpty ? Self.claims : [])
        case .nothing: .nothing
        }
    }

    private func firstWords() -> [Candidate] {
        var seen: Set<String> = []
        return table.commands.compactMap { spec in
            guard seen.insert(spec.path[0]).inserted else { return nil }
            return Candidate(
                spec.path[0], spec.path.count == 1 ? spec.summary : verbs(of: spec.path[0]).joinedNames)
        }
    }

    private func verbs(of group: String) -> [Candidate] {
        table.commands.filter { $0.path.count > 1 && $0.path[0] == group }.map {
            Candidate($0.path[1], $0.summary)
        }
    }

    private func topics(after given: [String]) -> [Candidate] {
        if given.isEmpty { return firstWords() }
        return given.count == 1 ? verbs(of: given[0]) : []
    }

    private static func candidate(_ flag: FlagSpec) -> Candidate {
        Candidate(flag.spelling, flag.kind == .nothing ? flag.summary : "\(flag.value): \(flag.summary)")
    }

    private static let claims = [
        Candidate("ok", "the command succeeded"),
        Candidate("error", "the command failed, with a code"),
        Candidate("none", "there are no records"),
        Candidate("count", "the number of records"),
        Candidate("contains", "some text of the result"),
        Candidate("every", "a field of every record"),
        Candidate("sorted", "the order of the records"),
    ]

    /// The candidates that begin with the typed text; if there are none, those that contain it; if there are
    /// none either, those that contain its letters in this order.
    private static func matches(_ typed: String, among found: [Candidate]) -> [Candidate] {
        let wanted = typed.lowercased()
        // Names that cannot be typed or displayed are not inserted.
        let found = found.filter { !$0.isName || VisibleText.isLine($0.text) && Quoting.name($0.text) != nil }
        let beginning = found.filter { begins($0.text, with: wanted) }
        if !beginning.isEmpty { return beginning }
        let containing = found.filter { $0.text.lowercased().contains(wanted) }
        if !containing.isEmpty { return containing }
        if wanted.count < 2 || wanted.hasPrefix("-") { return [] }
        return found.filter { containsInOrder($0.text.lowercased(), wanted) }
    }

    /// Whether a text contains the letters in this order, with any characters between them.
    private static func containsInOrder(_ text: String, _ letters: String) -> Bool {
        var rest = Substring(text)
        for letter in letters {
            guard let place = rest.firstIndex(of: letter) else { return false }
            rest = rest[rest.index(after: place)...]
        }
        return true
    }

    /// Whether a text begins with another, in any case.
    private static func begins(_ text: String, with beginning: String) -> Bool {
        text.lowercased().hasPrefix(beginning.lowercased())
    }

    private static func commonPrefix(_ left: String, _ right: String) -> String {
        let pairs = zip(left, right).prefix { $0.lowercased() == $1.lowercased() }
        return String(pairs.map(\.0))
    }

    /// A complete word: quoted if necessary, and followed by a space unless more must follow directly.
    private static func whole(_ candidate: Candidate) -> String {
        let text = candidate.text
        if text.hasSuffix("=") || text.hasSuffix("/") { return partial(text, isName: candidate.isName) }
        return (candidate.isName ? Quoting.name(text) ?? "" : Quoting.quoted(text)) + " "
    }

    /// The beginning of a word, with an open quote if it needs quotes.
    private static func partial(_ text: String, isName: Bool) -> String {
        if isName { return Quoting.isNeeded(inName: text) ? "\"" + Quoting.escaped(inName: text) : text }
        return Quoting.isNeeded(text) ? "\"" + Quoting.escaped(text) : text
    }
}

extension [Candidate] {
    /// All texts, separated by commas.
    fileprivate var joinedNames: String {
        map(\.text).joined(separator: ", ")
    }
}
