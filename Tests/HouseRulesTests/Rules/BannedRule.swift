/// A construct that code in `Sources` must not use, with its exceptions.
///
/// `swift format lint` reports force unwraps, `try!` and `as!`.
struct BannedConstruct: Sendable {
    let name: String
    let remedy: String
    /// Path prefixes below which the construct is allowed.
    var freeIn: [String] = []
    /// Path prefixes below which a comment with the reason, on the line or directly above it, allows the
    /// construct.
    var reasonedIn: [String] = []
    /// Texts of which every line with the construct contains at least one.
    let marks: [String]
    /// Finds the construct in a line of code without strings and comments.
    let isIn: @Sendable (String) -> Bool
}

extension BannedConstruct {
    static let all = [
        printing, untypedDictionary, hiddenTime, hiddenIdentifier, hiddenChance, sleeping, crash, looseTask,
        uncheckedSendable, decidingByText,
    ]

    /// The files that create clocks, identifiers and random numbers and pass them on.
    private static let wiring = [
        "Sources/CloudletServer/", "Sources/clown-central/", "Sources/cloudlet-command/",
        "Sources/CloudletTesting/", "Sources/Benchmarks/",
        "Sources/CommandShell/Program/Machine+Current.swift", "Sources/ServerData/RandomSource.swift",
    ]
    /// Source compatibility requires a few constructs in the CK facade, each with its reason.
    private static let facade = ["Sources/Cloudlet/"]
    private static let everywhere = ["Sources/"]
    private static let terminals = [
        "Sources/clown-central/", "Sources/cloudlet-command/", "Sources/Benchmarks/", "Sources/CommandShell/",
    ]

    static let printing = BannedConstruct(
        name: "print", remedy: "Return the value and let the renderer show it, or log it", freeIn: terminals,
        marks: ["print(", "Print(", "dump("]
    ) {
        $0.contains(/(?:^|[^.\w])(?:print|debugPrint|dump)\(/)
            && !$0.contains(/func (?:print|debugPrint|dump)\(/)
    }

    static let untypedDictionary = BannedConstruct(
        name: "[String: Any]", remedy: "Give the value a type of its own", reasonedIn: facade,
        marks: ["Any"]
    ) { $0.contains(/\[(?:String|AnyHashable): (?:any )?Any\b/) }

    static let hiddenTime = BannedConstruct(
        name: "the time of day", remedy: "Take the clock from outside; only the wiring reads it",
        freeIn: wiring, reasonedIn: facade,
        marks: ["Date", "Clock", "DispatchTime"]
    ) {
        $0.contains(/(?:^|[^.\w])(?:Foundation\.)?(?:Date|ContinuousClock)(?:\.init)?\(\)/)
            || $0.contains(/\b(?:Date|ContinuousClock|SuspendingClock|DispatchTime)\.now\b/)
            || $0.contains(/\bDate\.init\b(?!\()|\bDate\(timeIntervalSinceNow/)
    }

    static let hiddenIdentifier = BannedConstruct(
        name: "UUID()", remedy: "Take the source of identifiers from outside; only the wiring has one",
        freeIn: wiring, reasonedIn: facade,
        marks: ["UUID"]
    ) { $0.contains(/(?:^|[^.\w])UUID(?:\.init)?\(\)/) }

    static let hiddenChance = BannedConstruct(
        name: "a random number", remedy: "Pass a seeded generator in and draw with using:",
        freeIn: wiring, reasonedIn: facade,
        marks: ["andom", "shuffle"]
    ) {
        $0.contains("SystemRandomNumberGenerator")
            || ($0.contains(/\.(?:random|randomElement|shuffled|shuffle)\(/) && !$0.contains("using"))
    }

    static let sleeping = BannedConstruct(
        name: "Task.sleep", remedy: "Wait for the event, or on a clock that is passed in",
        freeIn: wiring, reasonedIn: facade,
        marks: ["sleep"]
    ) { $0.contains(/\bTask\.sleep\b|(?:^|[^.\w])u?sleep\(/) && !$0.contains(/func u?sleep\(/) }

    static let crash = BannedConstruct(
        name: "fatalError",
        remedy: "Throw a RecordError; if no input can reach it, say why on the line above",
        reasonedIn: everywhere,
        marks: ["fatalError(", "preconditionFailure("]
    ) { $0.contains(/\b(?:fatalError|preconditionFailure)\(/) }

    static let looseTask = BannedConstruct(
        name: "a task without an owner", remedy: "Use a task group or a run() in the service group",
        reasonedIn: facade,
        marks: ["Task"]
    ) { $0.contains(/^\s*(?:_ = )?Task(?:<[^>]*>)?(?:\.detached)?(?:\([^)]*\))? \{/) }

    static let uncheckedSendable = BannedConstruct(
        name: "an unchecked promise about concurrency",
        remedy: "Use a value, an actor or a Mutex; else say what makes it safe on the line above",
        reasonedIn: everywhere,
        marks: ["@unchecked", "(unsafe)"]
    ) { $0.contains("@unchecked") || $0.contains("nonisolated(unsafe)") }

    static let decidingByText = BannedConstruct(
        name: "deciding by the text of an error", remedy: "Decide by the error's code or type",
        reasonedIn: facade,
        marks: ["contains(", "hasPrefix(", "hasSuffix("]
    ) {
        $0.contains(
            /(?:localizedDescription|(?:error|shellError)\.(?:message|reason))\.(?:contains|has.+fix)\(/
        )
    }
}

/// `Sources` contains no banned constructs, to-do notes or code in comments.
enum BannedRule {
    static func findings(in file: SourceFile) -> [Finding] {
        guard file.path.hasPrefix("Sources/") else { return [] }
        return BannedConstruct.all.flatMap { findings(of: $0, in: file) }
            + file.lines.enumerated().compactMap { index, line in
                comment(in: line).flatMap { finding(in: $0, at: index, of: file.path) }
            }
    }

    private static func findings(of construct: BannedConstruct, in file: SourceFile) -> [Finding] {
        guard !construct.freeIn.contains(where: file.path.hasPrefix) else { return [] }
        let reasonIsEnough = construct.reasonedIn.contains(where: file.path.hasPrefix)
        let remedy = construct.remedy + (reasonIsEnough ? ", or give the reason in a // comment above" : "")
        return file.code(with: construct.marks)
            .filter { construct.isIn($0.code) && !(reasonIsEnough && file.hasReason(at: $0.index)) }
            .map {
                Finding(
                    path: file.path, line: $0.index + 1, problem: "\(construct.name) is banned here",
                    remedy: remedy)
            }
    }

    /// The text of a line that is a comment, but not documentation.
    private static func comment(in line: String) -> String? {
        guard line.has("// ") else { return nil }
        return line.wholeMatch(of: /\s*\/\/ (?<text>[^\/].*)/).map { String($0.output.text) }
    }

    private static func finding(in comment: String, at index: Int, of path: String) -> Finding? {
        if comment.contains(/\b(?:TODO|FIXME|XXX|HACK)\b/) {
            return Finding(
                path: path, line: index + 1, problem: "the comment is a to-do note",
                remedy: "Do it now, or open an issue and let the comment describe the present code")
        }
        if codePatterns.contains(where: { comment.wholeMatch(of: $0) != nil }) {
            return Finding(
                path: path, line: index + 1, problem: "the comment is code",
                remedy: "Delete it; the history keeps it")
        }
        return nil
    }

    /// Patterns of whole lines that are statements rather than prose.
    private static var codePatterns: [Regex<Substring>] {
        [
            /(?:let|var)\s+\w+(?:\s*:\s*[\w\[\].<>?: ]+)?\s*=\s.+/,
            /(?:@\w+ )*(?:\w+ )*(?:func|init|subscript)\b.*[({].*[{})]/,
            /(?:\w+ )*(?:struct|class|enum|actor|extension|protocol)\s+\w[^.]*\{.*/,
            /(?:if|guard|for|while|switch|do|defer|else|\} ?else)\b.*\{/,
            /(?:return|throw|try|await)\s+(?:try |await )*[\w.]+(?:\(.*\))?[\w.()?]*/,
            /(?:@\w+ )?import\s+\w+/,
            /[\w.]+\(.*\)[\w.()?]*(?: *\{.*)?/,
            /[A-Za-z_][\w]*(?:\.\w+|\[\w+\])+ [-+*]?= .+/,
            /(?:\w+ )?[{})\]]+[,;]?/,
            /case \.?\w+(?:\(.*\))?:.*/,
        ]
    }
}
