import CommandShell
import Foundation
import Records
import RecordsWire

/// Commands that inject faults.
struct FaultCommands {
    let session: CloudSession

    private static let group = "Faults and load"

    var commands: [CommandSpec] {
        [
            add,
            CommandSpec(
                ["fault", "list"],
                group: Self.group,
                summary: "show the active faults and how often each has occurred",
                examples: ["fault list"]
            ) { _ in
                .work {
                    Answer.faults(await session.storeFaults(try await session.server.faults()), note: nil)
                }
            },
            CommandSpec(
                ["fault", "clear"],
                group: Self.group,
                summary: "end all faults, or those of one name",
                arguments: [ArgumentSpec("NAME", .fault, .optional)],
                examples: ["fault clear", "fault clear zone-busy"]
            ) { arguments in
                let name = try arguments.word("NAME").map(Self.faultName)
                return .work { try await clear(name) }
            },
        ]
    }

    private var add: CommandSpec {
        CommandSpec(
            ["fault", "add"],
            group: Self.group,
            summary: "inject a fault",
            arguments: [ArgumentSpec("NAME", .described(FaultKind.candidates))],
            flags: [
                FlagSpec("on", "ENDPOINT", .choice(Self.endpoints), "only calls of this endpoint"),
                FlagSpec("device", "DEVICE", .device, "only calls from this device"),
                FlagSpec("after", "N", .number, "let N calls pass first"),
                FlagSpec("times", "N", .number, "for N calls; if not given, until it is cleared"),
                FlagSpec("seconds", "N", .number, "the time to wait, or the delay of the answer"),
            ],
            details: """
                Development servers only. The faults are:

                \(Self.catalogue)

                An active fault shows in the prompt and in `status` until it is used up or cleared.
                """,
            examples: [
                "fault add zone-busy --times 1",
                "fault add response-lost --on records/modify --device phone --times 1",
            ]
        ) { arguments in
            let fault = ChangeFaults.Addition(
                try Self.faultName(try arguments.requiredWord("NAME")),
                endpoint: arguments.text("on"),
                device: arguments.text("device"),
                first: try arguments.count("after").map { $0 + 1 },
                count: try arguments.count("times"),
                seconds: try arguments.count("seconds")
            )
            return .work { try await add(fault) }
        }
    }

    private func add(_ fault: ChangeFaults.Addition) async throws -> Answer {
        let faults = await session.storeFaults(try await session.server.change(ChangeFaults(adding: fault)))
        return Answer.faults(
            faults.filter { !$0.isUsedUp },
            note: "\(fault.name) is active; end it with: fault clear \(fault.name)")
    }

    private func clear(_ name: String?) async throws -> Answer {
        let server = session.server
        let before = try await server.faults()
        var left = before
        if let name {
            for fault in before where fault.name == name {
                left = try await server.change(ChangeFaults(removing: fault.id))
            }
        } else {
            left = try await server.change(ChangeFaults(clearsAll: true))
        }
        let ended = before.count - left.count
        return Answer.faults(
            await session.storeFaults(left), note: "ended \(Answer.counted(ended, "fault"))", ended: ended)
    }

    /// The endpoints that completion offers; other endpoints are accepted, too.
    private static let endpoints = [
        "records/modify", "records/query", "records/lookup", "changes/zone", "changes/database",
        "zones/modify", "upload", "download",
    ]

    private static var catalogue: String {
        let widest = FaultKind.names.map(\.count).max() ?? 0
        let lines = FaultKind.allCases.map { name in
            "  " + name.rawValue.padding(toLength: widest + 2, withPad: " ", startingAt: 0) + name.summary
        }
        return lines.joined(separator: "\n")
    }

    private static func faultName(_ word: Word) throws -> String {
        if FaultKind.names.contains(word.text) { return word.text }
        throw ShellError.usage(
            "there is no fault `\(word.text)`",
            at: word.range,
            suggestions: DidYouMean.suggestions(for: word.text, among: FaultKind.names),
            remedy: "help fault add"
        )
    }
}

extension FaultKind {
    /// The names of all faults, as in commands.
    static let names = allCases.map(\.rawValue)

    /// Completion candidates: the names of all faults with their effects.
    static let candidates = allCases.map { Candidate($0.rawValue, $0.summary) }
}
