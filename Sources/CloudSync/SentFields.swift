import Records

/// Fields that were sent and not answered, where the server does not say whether they arrived.
///
/// A save is done whole or not at all. A field that the server has as it was before says that the save did
/// not arrive: then what was sent is an edit like any other. Otherwise a field that the server has as it was
/// sent says that it arrived, whatever another device changed in other fields since. When each field that
/// was sent has been changed again, nobody can tell. Then the save counts as arrived for values of which
/// only one can hold, so that a sum is not counted twice and a later value is not undone by an older one;
/// texts and lists are merged from the version before, which loses nothing in either case.
struct SentFields {
    private let sent: Fields
    private let before: Fields?
    /// The fields that the save was to change.
    private let changed: [String]

    init(_ sent: Fields, over before: Fields?) {
        self.sent = sent
        self.before = before
        changed = Set(sent.names).union(before?.names ?? []).filter { sent[$0] != before?[$0] }.sorted()
    }

    /// What this device's edits and the server's version both came from.
    func base(for server: Fields, type: String, _ policy: MergePolicy) -> Fields? {
        if server == sent { return sent }
        // Asked first: two devices may well set one field alike, so agreement alone proves nothing.
        if changed.contains(where: { server[$0] == before?[$0] }) { return before }
        if changed.contains(where: { server[$0] == sent[$0] }) { return sent }
        var base = before
        for name in changed where isSingle(sent[name] ?? server[name], policy[type, name]) {
            base = base ?? Fields()
            base?[name] = sent[name]
        }
        return base
    }

    /// Whether only one of two values can hold, or each must count once.
    private func isSingle(_ field: Field?, _ rule: MergePolicy.Rule) -> Bool {
        switch (rule, field?.value) {
        case (.automatic, .string?), (.text, .string?), (.union, .list?), (.server, _): false
        default: true
        }
    }
}
