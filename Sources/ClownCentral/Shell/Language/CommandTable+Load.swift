// Owns the description of the commands that load a server.
import Foundation

extension CommandTable {
    static let loadCommands = [rate, runaway, serverKey, importSet]

    private static let group = "Load"

    private static let rate = CommandSpec(
        path: ["request-rate"],
        group: group,
        summary: "set how many requests a person may send; without N, as the server was started",
        arguments: [ArgumentSpec("N", .number, .optional)],
        flags: [FlagSpec("seconds", "S", .number, "in so many seconds; 1 if not given")],
        details: "Development servers only.",
        examples: ["request-rate 5 --seconds 1", "request-rate"],
        build: { arguments in
            .load(
                .rate(
                    requests: try arguments.word("N").map { try number($0, 1...100_000) },
                    seconds: try arguments.flags["seconds"].map { try number($0, 1...3600) } ?? 1))
        }
    )

    private static let runaway = CommandSpec(
        path: ["runaway"],
        group: group,
        summary: "ask the server N times in a tight loop, and show what came of it",
        arguments: [ArgumentSpec("N", .number)],
        flags: [FlagSpec("patient", "", .nothing, "wait as long as the server says, then go on")],
        examples: ["runaway 20", "runaway 20 --patient"],
        build: { arguments in
            let count = try number(try arguments.requiredWord("N"), 1...10_000)
            return .load(.runaway(count: count, isPatient: arguments.has("patient")))
        }
    )

    private static let serverKey = CommandSpec(
        path: ["server-key"],
        group: group,
        summary: "have a key for imports: a new one on an embedded server, else one that was registered",
        arguments: [ArgumentSpec("ID", .text, .optional)],
        flags: [FlagSpec("file", "FILE", .file, "the private key in PEM that belongs to ID")],
        details: "Whoever signs with it administers the public database: cloudlet key add registers one.",
        examples: ["server-key", "server-key 4f… --file import.pem"],
        build: { .load(.serverKey(id: $0.word("ID")?.text, file: $0.flags["file"])) }
    )

    private static let importSet = CommandSpec(
        path: ["import"],
        group: group,
        summary: "bring a seed set in, as an app's own server does; what is there already is left alone",
        arguments: [ArgumentSpec("SET", .seedSet, .optional)],
        details: "Signs its requests with the key of `server-key`. Doing it again changes nothing.",
        examples: ["import"],
        build: { .load(.importSet($0.word("SET"))) }
    )

    private static func number(_ word: Word, _ range: ClosedRange<Int>) throws -> Int {
        if let number = Int(word.text), range.contains(number) { return number }
        throw Complaint.usage(
            "a whole number from \(range.lowerBound) to \(range.upperBound) is wanted", at: word.range)
    }
}
