// Owns the description of the commands that make things go wrong on purpose.
import CloudletServer
import CommandText
import Foundation

extension CommandTable {
    static let faultCommands = [faultAdd, faultList, faultClear]

    private static let group = "Faults"

    private static let faultAdd = CommandSpec(
        path: ["fault", "add"],
        group: group,
        summary: "let something go wrong on purpose from now on",
        arguments: [ArgumentSpec("NAME", .described(FaultRequest.candidates))],
        flags: [
            FlagSpec("on", "ENDPOINT", .choice(endpoints), "only calls of this endpoint"),
            FlagSpec("device", "DEVICE", .device, "only calls from this device"),
            FlagSpec("after", "N", .number, "let N calls through before"),
            FlagSpec("times", "N", .number, "N calls only; until it is cleared if not given"),
            FlagSpec("seconds", "N", .number, "how long to wait, or how late the answer is"),
        ],
        details: """
            Development servers only. The faults are:

            \(catalogue)

            A fault in force shows in the prompt and in `status` until it is used up or cleared.
            """,
        examples: [
            "fault add zone-busy --times 1",
            "fault add response-lost --on records/modify --device phone --times 1",
        ],
        build: { arguments in
            .fault(
                .add(
                    FaultRequest(
                        name: try faultName(try arguments.requiredWord("NAME")),
                        endpoint: arguments.text("on"),
                        device: arguments.text("device"),
                        after: try arguments.count("after"),
                        times: try arguments.count("times"),
                        seconds: try arguments.count("seconds")
                    )
                )
            )
        }
    )

    private static let faultList = CommandSpec(
        path: ["fault", "list"],
        group: group,
        summary: "show the faults in force and how often each has struck",
        examples: ["fault list"],
        build: { _ in .fault(.list) }
    )

    private static let faultClear = CommandSpec(
        path: ["fault", "clear"],
        group: group,
        summary: "end all faults, or those of one name",
        arguments: [ArgumentSpec("NAME", .fault, .optional)],
        examples: ["fault clear", "fault clear zone-busy"],
        build: { .fault(.clear(name: try $0.word("NAME").map(faultName))) }
    )

    /// The endpoints that completion offers; any other may be typed.
    private static let endpoints = [
        "records/modify", "records/query", "records/lookup", "changes/zone", "changes/database",
        "zones/modify", "upload", "download",
    ]

    private static var catalogue: String {
        let widest = FaultRequest.names.map(\.count).max() ?? 0
        let lines = FaultKind.allCases.map { name in
            "  " + name.rawValue.padding(toLength: widest + 2, withPad: " ", startingAt: 0) + name.summary
        }
        return lines.joined(separator: "\n")
    }

    private static func faultName(_ word: Word) throws -> String {
        if FaultRequest.names.contains(word.text) { return word.text }
        throw Complaint.usage(
            "there is no fault `\(word.text)`",
            at: word.range,
            suggestions: DidYouMean.suggestions(for: word.text, among: FaultRequest.names),
            remedy: "help fault add"
        )
    }
}
