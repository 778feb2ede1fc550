import LocalReplica
import Records

/// A three-way merge of the fields of a record.
struct FieldMerge: Equatable {
    /// The merged fields.
    var fields: Fields
    /// One text for each field that both sides had changed, with the origin of its merged value.
    var notes: [String] = []

    /// - Parameter base: the version from which both sides started; nil if both created the record under the
    ///   same name.
    init(base: Fields?, local: Fields, server: Fields, type: String, policy: MergePolicy) {
        fields = server
        let names = Set(local.names).union(server.names).union(base?.names ?? [])
        for name in names.sorted() {
            let (old, ours, theirs) = (base?[name], local[name], server[name])
            if ours == old { continue }
            guard theirs != old else {
                fields[name] = ours
                continue
            }
            let rule = policy[type, name]
            // Equal values need no merge, except in a sum, where both additions count.
            if ours == theirs, rule != .sum { continue }
            fields[name] = Self.merged(old, ours, theirs, rule)
            let title = name == Fields.parentKey ? "parent" : name
            notes.append("\(title): \(Self.summary(fields[name], ours, theirs))")
        }
    }

    private static func merged(
        _ old: Field?, _ ours: Field?, _ theirs: Field?, _ rule: MergePolicy.Rule
    ) -> Field? {
        guard var merged = ours, let theirs else { return ours ?? theirs }
        merged.value = value(old?.value, merged.value, theirs.value, rule)
        merged.isEncrypted = merged.isEncrypted || theirs.isEncrypted
        return merged
    }

    private static func value(
        _ old: FieldValue?, _ ours: FieldValue, _ theirs: FieldValue, _ rule: MergePolicy.Rule
    ) -> FieldValue {
        switch (rule, ours, theirs) {
        case (.server, _, _): return theirs
        case (.automatic, .string(let ours), .string(let theirs)),
            (.text, .string(let ours), .string(let theirs)):
            let base = if case .string(let text) = old { text } else { "" }
            return .string(TextMerge.merged(base: base, local: ours, server: theirs))
        case (.union, .list(let type, let ours), .list(_, let theirs)):
            let base = Set(old?.elements ?? [])
            let gone = base.subtracting(ours).union(base.subtracting(theirs))
            let kept = theirs + ours.filter { !theirs.contains($0) }
            return .list(type, kept.filter { !gone.contains($0) })
        case (.sum, .int64(let ours), .int64(let theirs)):
            let base = if case .int64(let number) = old { number } else { Int64(0) }
            return .int64(theirs &+ ours &- base)
        case (.sum, .double(let ours), .double(let theirs)):
            let base = if case .double(let number) = old { number } else { 0.0 }
            return .double(theirs + ours - base)
        default: return ours
        }
    }

    private static func summary(_ merged: Field?, _ ours: Field?, _ theirs: Field?) -> String {
        if merged == ours { return "this device's value" }
        if merged == theirs { return "the server's value" }
        guard let ours, let theirs, !ours.isEncrypted, !theirs.isEncrypted,
            case .string(let here) = ours.value, case .string(let there) = theirs.value
        else { return "made of both" }
        return "made of both: \(shortened(here)) here, \(shortened(there)) there"
    }

    /// The beginning of a text, in quotes.
    private static func shortened(_ text: String) -> String {
        let limit = 40
        return "\"\(text.prefix(limit))\(text.count > limit ? "…" : "")\""
    }
}
