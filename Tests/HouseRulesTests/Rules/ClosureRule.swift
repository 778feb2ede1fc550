/// In a closure's body, no closure follows one in the arguments of an expectation.
///
/// Swift 6.3 gives two closures in the body of a closure the same symbol if they have the same type, and only
/// the first is in the arguments of a macro. One of them then runs in place of both, so the test does not run
/// the code that it shows. The bodies of functions are safe. The trailing closure of a macro is not checked:
/// with another closure of its type, the compiler crashes, so the problem is obvious.
enum ClosureRule {
    private static let macros: Set<String> = ["#expect", "#require"]
    /// Keywords before the braces of a body that is not a closure.
    private static let heads: Set<String> = [
        "if", "guard", "for", "while", "switch", "repeat", "do", "catch", "else", "defer",
    ]
    private static let functions: Set<String> = ["func", "init", "deinit", "subscript"]
    /// Keywords that may also be names: they begin a declaration only before another word.
    private static let types: Set<String> = ["struct", "class", "enum", "actor", "extension", "protocol"]
    private static let accessors: Set<String> = ["get", "set", "willSet", "didSet"]

    /// The text inside an open bracket.
    private struct Scope {
        let sign: String
        /// Whether these are the arguments of an expectation.
        var isMacro = false
        /// The closure's place in the list of closures, if these are its braces.
        var closure: Int?
        /// Whether the bracket begins a function or a type. The compiler numbers the closures of each
        /// separately.
        var isBarrier = false
        /// Whether the next brace begins the body of a statement or declaration.
        var expectsBody = false
        var expectsBarrier = false
        /// Whether that declaration is a variable's, which ends with its line unless its body begins.
        var expectsAccessors = false
        /// Whether the next brace begins the trailing closure of an expectation.
        var expectsTrailing = false
    }

    /// A closure, the closure around it, and the expectation between the two.
    struct Closure: Equatable {
        let line: Int
        var outer: Int?
        var isInMacro = false
    }

    static func findings(in file: SourceFile) -> [Finding] {
        guard file.lines.contains(where: { line in macros.contains { line.has($0) } }) else { return [] }
        let closures = closures(of: CodeScanner.tokens(of: file.lines.joined(separator: "\n")))
        var first: [Int: Int] = [:]
        var findings: [Finding] = []
        for closure in closures {
            guard let outer = closure.outer else { continue }
            if closure.isInMacro {
                first[outer] = first[outer] ?? closure.line
            } else if let line = first[outer] {
                findings.append(
                    Finding(
                        path: file.path, line: closure.line,
                        problem: "a closure follows the one in the expectation of line \(line), and the "
                            + "compiler may run that one in its place",
                        remedy: "Make the call with the closure before the expectation, and expect its result"
                    ))
            }
        }
        return findings
    }

    /// All closures, in the order in which they begin.
    static func closures(of tokens: [CodeToken]) -> [Closure] {
        var closures: [Closure] = []
        var scopes = [Scope(sign: "")]
        for (index, token) in tokens.enumerated() {
            let next = index + 1 < tokens.count ? tokens[index + 1].text : ""
            let before = index > 0 ? tokens[index - 1].text : ""
            switch token.text {
            case "(", "[":
                scopes.append(Scope(sign: token.text, isMacro: macros.contains(before)))
            case ")", "]", "}":
                if scopes.count > 1, scopes.removeLast().isMacro, next == "{" {
                    scopes[scopes.count - 1].expectsTrailing = true
                }
            case "{":
                scopes.append(open(token, in: &scopes, &closures))
            default:
                read(token.text, next, in: &scopes[scopes.count - 1])
            }
        }
        return closures
    }

    /// Opens the braces of a body or of a closure.
    private static func open(
        _ token: CodeToken, in scopes: inout [Scope], _ closures: inout [Closure]
    ) -> Scope {
        let last = scopes.count - 1
        if scopes[last].expectsBody {
            let isBarrier = scopes[last].expectsBarrier
            scopes[last].expectsBody = false
            scopes[last].expectsBarrier = false
            return Scope(sign: "{", isBarrier: isBarrier)
        }
        var closure = Closure(line: token.line)
        let isTrailing = scopes[last].expectsTrailing
        scopes[last].expectsTrailing = false
        for scope in scopes.reversed() {
            if scope.isBarrier || isTrailing { break }
            if let outer = scope.closure {
                closure.outer = outer
                break
            }
            if scope.isMacro { closure.isInMacro = true }
        }
        closures.append(closure)
        return Scope(sign: "{", closure: closures.count - 1)
    }

    /// Reads a token that opens no bracket.
    private static func read(_ text: String, _ next: String, in scope: inout Scope) {
        let isLabel = next == ":"
        let beginsWord = next.first.map { $0.isLetter || $0 == "_" } ?? false
        if heads.contains(text), !isLabel {
            scope.expectsBody = true
        } else if functions.contains(text), !isLabel, scope.sign != "(" || text == "func" {
            (scope.expectsBody, scope.expectsBarrier) = (true, true)
        } else if types.contains(text), beginsWord {
            (scope.expectsBody, scope.expectsBarrier) = (true, true)
        } else if accessors.contains(text), ["{", "(", "async", "throws"].contains(next) {
            scope.expectsBody = true
        } else if text == "var" {
            (scope.expectsBody, scope.expectsAccessors, scope.expectsBarrier) = (true, true, true)
        } else if text == "=" || text == "\n", scope.expectsAccessors {
            (scope.expectsBody, scope.expectsAccessors, scope.expectsBarrier) = (false, false, false)
        }
    }
}
