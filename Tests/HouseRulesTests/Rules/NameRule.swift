/// A name belongs to the types of one module, so that a reader who searches for it finds one declaration.
enum NameRule {
    /// The modules whose types have a prefix, because another module has types for the same purposes.
    private static let prefixes = ["RecordStorePostgres": "Postgres", "DirectoryPostgres": "Postgres"]

    /// Reports types at the left margin of `Sources` that another module also declares there, or that lack
    /// the prefix of their module. Private types and names for other types do not count.
    static func findings(in files: [SourceFile]) -> [Finding] {
        var known: [String: (module: Substring, path: String)] = [:]
        var findings: [Finding] = []
        for file in files where file.path.hasPrefix("Sources/") {
            let module = file.path.split(separator: "/")[1]
            let prefix = prefixes[String(module)] ?? ""
            for (index, line) in file.lines.enumerated() {
                guard let name = declaredName(in: line) else { continue }
                if !name.hasPrefix(prefix) {
                    findings.append(
                        Finding(
                            path: file.path, line: index + 1,
                            problem: "the type \(name) of \(module) lacks the prefix \(prefix)",
                            remedy: "Name it \(prefix)\(name)"))
                }
                guard let other = known[name] else {
                    known[name] = (module, file.path)
                    continue
                }
                if other.module == module { continue }
                findings.append(
                    Finding(
                        path: file.path, line: index + 1,
                        problem: "\(other.module) also declares a type \(name), in \(other.path)",
                        remedy: "Share one type, or name this one by what it is in \(module)"))
            }
        }
        return findings
    }

    /// The name of the type that a line declares for its whole module.
    private static func declaredName(in line: String) -> String? {
        guard let name = SizeRule.typeName(in: line) else { return nil }
        let others: Set<Substring> = ["extension", "import", "private", "fileprivate"]
        let modifiers = line.split(separator: " ", maxSplits: 8).prefix { $0.first?.isUppercase != true }
        return others.isDisjoint(with: modifiers) ? name : nil
    }
}
