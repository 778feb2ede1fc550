/// Limits on the size of files, functions and types.
enum SizeRule {
    /// Columns of a line. `swift format` does not check comments.
    static let widest = 110
    static let longestFile = 400
    static let longestFunction = 100
    /// A longer function causes a warning, unless it is one exhaustive switch.
    static let longFunction = 60
    /// Lines of a type over all its extensions.
    static let largestType = 800

    static func findings(in files: [SourceFile]) -> [Finding] {
        files.flatMap { wideLines($0) + longFile($0) + tooLongFunctions($0) } + largeTypes(in: files)
    }

    static func wideLines(_ file: SourceFile) -> [Finding] {
        let wide = file.lines.indices.filter {
            file.lines[$0].utf8.count > widest && file.lines[$0].count > widest
        }
        return wide.map { index in
            Finding(
                path: file.path, line: index + 1,
                problem: "the line has \(file.lines[index].count) columns, \(widest) are allowed",
                remedy: "Break it at the end of a clause")
        }
    }

    static func longFile(_ file: SourceFile) -> [Finding] {
        let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
        guard count > longestFile else { return [] }
        return [
            Finding(
                path: file.path, line: longestFile + 1,
                problem: "the file has \(count) lines, \(longestFile) are allowed",
                remedy: "Split it by subject, as Type+Topic.swift")
        ]
    }

    // MARK: Functions

    /// A function, initialiser, subscript or computed property, from its first line to its closing brace.
    struct Function: Equatable {
        let line: Int
        let count: Int
        let isExhaustiveSwitch: Bool
    }

    static func functions(in file: SourceFile) -> [Function] {
        file.lines.indices.compactMap { start in
            guard let indentation = file.lines[start].indentation, declaresFunction(file.lines[start]),
                let end = end(of: start, indentation, in: file)
            else { return nil }
            return Function(
                line: start + 1, count: end - start + 1,
                isExhaustiveSwitch: isExhaustiveSwitch(file.lines[start...end]))
        }
    }

    private static func declaresFunction(_ line: String) -> Bool {
        for word in line.split(separator: " ", maxSplits: 8) {
            let name = word.prefix { $0.isLetter }
            if ["func", "init", "deinit", "subscript", "var"].contains(name) { return true }
            // Only modifiers and attributes may precede the keyword of a declaration.
            guard word.first == "@" || name.allSatisfy(\.isLowercase) && !name.isEmpty else { return false }
        }
        return false
    }

    /// The line of the brace that ends a declaration's body: the first one indented as the declaration is.
    private static func end(of start: Int, _ indentation: Int, in file: SourceFile) -> Int? {
        for index in file.lines.indices.dropFirst(start + 1) {
            guard let next = file.lines[index].indentation, next <= indentation else { continue }
            let line = file.lines[index].dropFirst(next)
            if next < indentation { return nil }
            if line.hasPrefix("}") { return index }
            // The end of a parameter list, or the where clause of a generic function.
            guard line.hasPrefix(")") || line.hasPrefix("where ") || line.hasPrefix("{") else { return nil }
        }
        return nil
    }

    /// Whether a switch without `default:` takes up most of the lines.
    private static func isExhaustiveSwitch(_ lines: ArraySlice<String>) -> Bool {
        guard let start = lines.firstIndex(where: { $0.has("switch ") }) else { return false }
        return (start - lines.startIndex) * 4 <= lines.count && !lines.contains { $0.has("default:") }
    }

    static func tooLongFunctions(_ file: SourceFile) -> [Finding] {
        functions(in: file).filter { $0.count > longestFunction && !$0.isExhaustiveSwitch }.map {
            Finding(
                path: file.path, line: $0.line,
                problem: "the function has \($0.count) lines, \(longestFunction) are allowed",
                remedy: "Move its steps into functions")
        }
    }

    // MARK: Types

    /// How many lines each type of `Sources` has, over its declaration and all extensions in one module.
    static func typeSizes(in files: [SourceFile]) -> [String: (count: Int, path: String, line: Int)] {
        var sizes: [String: (count: Int, path: String, line: Int)] = [:]
        for file in files where file.path.hasPrefix("Sources/") {
            let module = file.path.split(separator: "/")[1]
            for (start, line) in file.lines.enumerated() {
                guard let name = typeName(in: line) else { continue }
                let end = file.lines[start...].firstIndex { $0.utf8.first == UInt8(ascii: "}") } ?? start
                let key = "\(module).\(name)"
                sizes[key] = sizes[key] ?? (0, file.path, start + 1)
                sizes[key]?.count += end - start + 1
            }
        }
        return sizes
    }

    /// The type that a line at the left margin declares or extends.
    static func typeName(in line: String) -> String? {
        guard let first = line.utf8.first, first >= UInt8(ascii: "@") else { return nil }
        let words = line.split(separator: " ", maxSplits: 8)
        let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "extension"]
        guard let kind = words.firstIndex(where: kinds.contains), words.indices.contains(kind + 1),
            words[..<kind].allSatisfy({ $0.first == "@" || $0.allSatisfy { $0.isLowercase || !$0.isLetter } })
        else { return nil }
        return String(words[kind + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }

    static func largeTypes(in files: [SourceFile]) -> [Finding] {
        typeSizes(in: files).sorted { $0.key < $1.key }.compactMap { name, size in
            // The size of these classes depends on the framework that they reimplement.
            if name.hasPrefix("Cloudlet.CK") { return nil }
            let allowed = typesTooLargeForNow[name] ?? largestType
            guard size.count > allowed else { return nil }
            return Finding(
                path: size.path, line: size.line,
                problem: "\(name) has \(size.count) lines over all extensions, \(allowed) are allowed",
                remedy: "Move a part with its own state or subject to a type of its own")
        }
    }
}

/// Types that exceeded the limit when the rule was introduced. Lower a number when its type shrinks; never
/// add a type.
private let typesTooLargeForNow: [String: Int] = [:]
