// Owns doing the commands about how an app uses its server.
import Cloudlet
import Foundation

extension Interpreter {
    func answer(_ command: AuditCommand) async throws -> Answer {
        switch command {
        case .stats(let isPlain, let forgets):
            Answer.stats(requests.traffic(forgetting: forgets), isPlain: isPlain)
        case .checklist(let forgets): Answer.checklist(requests.traffic(forgetting: forgets))
        case .storage: try await storage()
        case .chain(let request): try await run(request)
        }
    }

    private func run(_ request: ChainRequest) async throws -> Answer {
        // Its own way to the server, on which waiting for another attempt takes the shell's time.
        var connection = site.connection(
            in: session.place.environment, session.account?.session, device: session.device)
        connection.pause = { [clock] in try await clock.wait($0) }
        let container = CKContainer(identifier: session.place.container, connection: connection)
        let chain = OperationChain(
            database: container.publicCloudDatabase, quality: request.quality.service,
            timeout: request.timeout)
        let ids = (0..<request.count).map { _ in identifiers.next("confetti") }
        let before = clock.now
        let outcomes = await chain.run(ids, cancelledAfter: request.cancelledAfter)
        try Task.checkCancellation()
        return Answer.chain(outcomes, waited: Int(clock.now.timeIntervalSince(before)))
    }

    private func storage() async throws -> Answer {
        let files = try await site.assetFileCount(in: session.place.container)
        var entries = [
            Entry([
                Field("data", .text("public")), Field("paidBy", .text("the app")),
                Field("files", files.map(Value.count) ?? .missing),
            ])
        ]
        if let account = session.account {
            let person = account.person
            let room = try await site.privateRoom(
                of: person, in: session.place.container, token: account.session.webAuthToken)
            let limit = room.privateBytesLimit
            entries.append(
                Entry([
                    Field("data", .text("private")), Field("paidBy", .text(person)),
                    Field("files", .missing), Field("used", .bytes(room.privateBytes)),
                    Field("limit", limit.map(Value.bytes) ?? .missing),
                    Field("full", limit.map { .share(Double(room.privateBytes) / Double($0)) } ?? .missing),
                ]))
        }
        return Answer(
            form: .list, entries: entries,
            columns: [
                Column("DATA", "data"), Column("PAID BY", "paidBy"), Column("FILES", "files"),
                Column("USED", "used"), Column("LIMIT", "limit"), Column("FULL", "full"),
            ])
    }
}

extension ChainRequest.Quality {
    fileprivate var service: QualityOfService {
        switch self {
        case .userInteractive: .userInteractive
        case .userInitiated: .userInitiated
        case .utility: .utility
        case .background: .background
        }
    }
}
