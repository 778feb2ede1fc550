import Cloudlet
import CommandShell
import Foundation

/// Commands for batches and chains of operations, with the number of requests.
struct OperationCommands {
    let session: CloudSession

    /// A larger batch would take too long.
    private static let largestBatch = 10_000

    var commands: [CommandSpec] { [batch, chain].needingAccount() }

    private var batch: CommandSpec {
        CommandSpec(
            ["batch", "save"],
            group: "Operations",
            summary: "save N small records and show the number of requests",
            arguments: [ArgumentSpec("N", .number)],
            flags: [FlagSpec("one-by-one", "", .nothing, "save them in a loop, a request for each")],
            details: "A batch that is too large for one request is halved until all parts are accepted.",
            examples: ["batch save 1000", "batch save 25 --one-by-one"]
        ) { arguments in
            let count = try ParsedArguments.whole(
                try arguments.requiredWord("N"), 1...Self.largestBatch, called: "N")
            let isOneByOne = arguments.has("one-by-one")
            return .work { try await save(count, isOneByOne: isOneByOne) }
        }
    }

    private func save(_ count: Int, isOneByOne: Bool) async throws -> Answer {
        let ids = await session.makeIdentifiers(count, "confetti")
        let confetti = ConfettiRepository(database: await session.container.publicCloudDatabase)
        let before = session.requests.count
        if isOneByOne {
            try await confetti.saveOneByOne(ids)
            return Answer.oneByOne(count, requests: session.requests.count - before)
        }
        let tree = try await confetti.save(ids)
        return Answer.batch(tree, requests: session.requests.count - before)
    }

    private var chain: CommandSpec {
        CommandSpec(
            ["chain"],
            group: "Operations",
            summary: "run N saves as operations, each of which depends on the one before",
            arguments: [ArgumentSpec("N", .number)],
            flags: [
                FlagSpec("cancel-after", "K", .number, "cancel the rest when K are done"),
                FlagSpec(
                    "quality", "QUALITY", .choice(Quality.allCases.map(\.rawValue)),
                    "the priority; utility if not given"),
                FlagSpec(
                    "timeout", "SECONDS", .number, "the time limit of each; the default if not given"),
            ],
            details: """
                Without a network, operations that are user-interactive or user-initiated fail at once,
                because a person waits for them. Others are tried again until their time limit: a week,
                or less with --timeout. When one operation fails, the rest are cancelled.
                """,
            examples: ["chain 4 --cancel-after 2", "chain 2 --quality utility --timeout 60"]
        ) { arguments in
            let count = try ParsedArguments.whole(try arguments.requiredWord("N"), 1...100, called: "N")
            let limit = try arguments.count("cancel-after")
            let quality: Quality = try arguments.choice("quality") ?? .utility
            let timeout = try arguments.count("timeout").map(TimeInterval.init)
            return .work { try await run(count, cancelledAfter: limit, quality, timeout: timeout) }
        }
    }

    /// The priority of operations, which decides what happens without a network.
    private enum Quality: String, CaseIterable, Sendable {
        case userInteractive = "user-interactive"
        case userInitiated = "user-initiated"
        case utility
        case background

        var service: QualityOfService {
            switch self {
            case .userInteractive: .userInteractive
            case .userInitiated: .userInitiated
            case .utility: .utility
            case .background: .background
            }
        }
    }

    private func run(
        _ count: Int, cancelledAfter limit: Int?, _ quality: Quality, timeout: TimeInterval?
    ) async throws -> Answer {
        // A separate connection, on which waiting for a retry advances the shell's clock.
        let clock = session.clock
        var connection = await session.connection
        connection.pause = { try await clock.wait($0) }
        let container = CKContainer(
            identifier: await session.place.container, connection: connection)
        let chain = OperationChain(
            database: container.publicCloudDatabase, quality: quality.service, timeout: timeout)
        let ids = await session.makeIdentifiers(count, "confetti")
        let before = clock.now
        let outcomes = await chain.run(ids, cancelledAfter: limit)
        try Task.checkCancellation()
        return Answer.chain(outcomes, waited: Int(clock.now.timeIntervalSince(before)))
    }
}
