// Owns the shapes of code that several rules ask about: postfix marks, types, calls and members.

extension SourceFile {
    /// Whether no blank stands between a token and the next.
    func touchesNext(_ place: Int) -> Bool {
        tokens.indices.contains(place + 1) && tokens[place].end == tokens[place + 1].start
    }

    /// Whether this is a `!` that belongs to the value or type before it, not to what follows.
    func isPostfixMark(_ place: Int) -> Bool {
        guard text(place) == "!", place > 0, touchesNext(place - 1) else { return false }
        let before = tokens[place - 1]
        if before.isWord {
            return !["return", "in", "where", "case", "if", "while", "guard", "else", "await"].contains(
                before.text)
        }
        return [")", "]", "}", ">", "\"", "?", "!"].contains(before.text)
    }

    /// Whether the mark belongs to `try` or `as`, which have bans of their own, or to a failing `init`.
    func isForcedKeyword(_ place: Int) -> Bool {
        ["try", "as", "init"].contains(text(place - 1))
    }

    /// Whether the mark ends a type, as in `name: CKRecord!`, rather than a value.
    func endsType(_ place: Int) -> Bool {
        guard let first = typeStart(before: place), first > 0 else { return false }
        return [":", "->"].contains(text(first - 1))
    }

    /// Where the type begins that ends before a position; nil if what stands there can be a value only.
    private func typeStart(before place: Int) -> Int? {
        let last = place - 1
        switch text(last) {
        case ">":
            guard let open = open(of: last, "<", ">"), tokens[max(0, open - 1)].isTypeName else { return nil }
            return pathStart(open - 1)
        case "]":
            guard let open = open(of: last, "[", "]"), tokens[open + 1].isTypeName else { return nil }
            return open
        case ")":
            guard let open = open(of: last, "(", ")") else { return nil }
            let isFunction = tokens[open...last].contains { $0.text == "->" }
            return isFunction || ["any", "some"].contains(text(open + 1)) ? open : nil
        default:
            return tokens[last].isTypeName ? pathStart(last) : nil
        }
    }

    /// The first word of `CKOperation.Configuration`, whose words all begin with capitals.
    private func pathStart(_ last: Int) -> Int {
        var first = last
        while first >= 2, text(first - 1) == ".", tokens[first - 2].isTypeName {
            first -= 2
        }
        return ["any", "some", "inout"].contains(text(first - 1)) ? first - 1 : first
    }

    private func open(of place: Int, _ opening: String, _ closing: String) -> Int? {
        var depth = 0
        for before in stride(from: place, through: 0, by: -1) {
            depth += text(before) == closing ? 1 : 0
            depth -= text(before) == opening ? 1 : 0
            if depth == 0 {
                return before
            }
        }
        return nil
    }

    /// `Name()`, `Name.init()`, and `Name.init` handed on as a function.
    func callsWithoutArguments(_ name: String, at place: Int) -> Bool {
        let isOthers = text(place - 1) == "." && text(place - 2) != "Foundation"
        guard text(place) == name, !isOthers else { return false }
        let isLong = text(place + 1) == "." && text(place + 2) == "init"
        let open = isLong ? place + 3 : place + 1
        return text(open) == "(" ? text(open + 1) == ")" : isLong
    }

    /// `Owner.member`.
    func isMember(_ member: String, of owners: Set<String>, at place: Int) -> Bool {
        owners.contains(text(place)) && text(place + 1) == "." && text(place + 2) == member
    }

    /// Whether a closure follows a name, after generic arguments and arguments if there are any.
    func startsClosure(after place: Int) -> Bool {
        var next = place + 1
        if text(next) == "<" {
            while next < tokens.count, text(next) != ">" {
                next += 1
            }
            next += 1
        }
        if text(next) == "(", let close = close(of: next) {
            next = close + 1
        }
        return text(next) == "{"
    }
}
