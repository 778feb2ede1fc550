import Records

/// The fields of an unanswered save. Decides by the server's fields whether the save arrived, for servers
/// that do not return the last batch.
///
/// A save is applied completely or not at all. If the server has one of the changed fields as it was before,
/// the save did not arrive; then the edit is merged like any other.
///
/// Otherwise it is unknown whether the save arrived, because another device may have set fields to the same
/// values: for example, two devices create records below the same parent. Then each field is decided
/// separately. A field that is equal on the server needs no merging. For values of which only one can be
/// kept, the save counts as arrived, so that a sum is not counted twice and an older value does not replace a
/// newer one. Texts and lists are merged with the version before the save as base, which loses nothing in
/// either case.
struct SentFields {
    private let sent: Fields
    private let before: Fields?
    /// The names of the fields that the save changes.
    private let changed: [String]

    init(_ sent: Fields, over before: Fields?) {
        self.sent = sent
        self.before = before
        changed = Set(sent.names).union(before?.names ?? []).filter { sent[$0] != before?[$0] }.sorted()
    }

    /// Returns the base for merging this device's edits with the server's version.
    func base(for server: Fields, type: String, _ policy: MergePolicy) -> Fields? {
        if server == sent { return sent }
        // This check comes first: two devices may set a field to the same value, so a field that is equal to
        // the sent one proves nothing.
        if changed.contains(where: { server[$0] == before?[$0] }) { return before }
        var base = before
        for name in changed
        where server[name] == sent[name] || isSingle(sent[name] ?? server[name], policy[type, name]) {
            base = base ?? Fields()
            base?[name] = sent[name]
        }
        return base
    }

    /// Whether only one of two values can be kept, or each must count exactly once. With the rule `server`,
    /// the server's value wins whatever the base is.
    private func isSingle(_ field: Field?, _ rule: MergePolicy.Rule) -> Bool {
        switch (rule, field?.value) {
        case (.automatic, .string?), (.text, .string?), (.union, .list?), (.server, _): false
        default: true
        }
    }
}
