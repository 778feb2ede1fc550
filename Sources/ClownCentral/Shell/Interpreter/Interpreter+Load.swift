// Owns doing the commands that load a server.
import Cloudlet
import CommandText
import Foundation

extension Interpreter {
    func answer(_ command: LoadCommand) async throws -> Answer {
        switch command {
        case .audit(let command): try await answer(command)
        case .rate(let requests, let seconds): try await setRate(requests, seconds)
        case .runaway(let count, let isPatient): try await runAway(count, isPatient: isPatient)
        case .serverKey(let id, let file): try await takeServerKey(id, file)
        case .importSet(let word): try await importSet(word)
        }
    }

    // MARK: Too many requests

    private func setRate(_ requests: Int?, _ seconds: Int) async throws -> Answer {
        try await site.setRate(requests, seconds: seconds)
        let rate = requests.map { "\(Answer.counted($0, "request")) in \(seconds) s" }
        return Answer.talk("a person may send \(rate ?? "what the server was started with")")
    }

    /// Each question is one request, as small as they come.
    private func runAway(_ count: Int, isPatient: Bool) async throws -> Answer {
        let (container, before) = (container, requests.count)
        var (answered, refused, held, waited) = (0, 0, 0, 0)
        var retryAfter: Int?
        var left = count
        while left > 0 {
            try Task.checkCancellation()
            let sent = requests.count
            do {
                _ = try await container.userRecordID()
                answered += 1
                left -= 1
            } catch let error as CKError where error.code == .requestRateLimited {
                if requests.count > sent { refused += 1 } else { held += 1 }
                let seconds = Int((error.retryAfterSeconds ?? 1).rounded(.up))
                retryAfter = retryAfter ?? seconds
                if isPatient {
                    try await tools.pause(TimeInterval(seconds))
                    waited += seconds
                } else {
                    left -= 1
                }
            }
        }
        let fields = [
            Field("asked", .count(count)), Field("answered", .count(answered)),
            Field("refused", .count(refused)), Field("heldBack", .count(held)),
            Field("retryAfter", retryAfter.map(Value.count) ?? .missing), Field("waited", .count(waited)),
            Field("requests", .count(requests.count - before)),
        ]
        return Answer(form: .record, entries: [Entry(fields)])
    }

    // MARK: Imports

    private func takeServerKey(_ id: String?, _ file: Word?) async throws -> Answer {
        if let id {
            guard let file else {
                throw Complaint.usage("--file is missing", remedy: "server-key ID --file FILE")
            }
            session.serverKey = try CloudServerKey(id: id, privateKeyFile: tools.file(file))
        } else {
            guard let register = site.registerServerKey else {
                throw Complaint(
                    code: "notEmbedded", message: "the server is elsewhere: its operator registers keys",
                    remedy: "cloudlet key add, then: server-key ID --file FILE")
            }
            let key = CloudServerKey.generate()
            session.serverKey = key.named(try await register(key.publicKey, session.place))
        }
        return Answer.talk(
            "imports are signed with the key \(session.serverKey?.id.prefix(8) ?? "")…",
            facts: [Field("key", Value(session.serverKey?.id))])
    }

    private func importSet(_ word: Word?) async throws -> Answer {
        guard let key = session.serverKey else {
            throw Complaint(
                code: "noServerKey", message: "an import needs a key", remedy: "server-key",
                exit: .notSignedIn)
        }
        let seeds = try seeds(word)
        var connection = site.connection(in: session.place.environment, nil, device: session.device)
        connection.serverKey = key
        let container = CKContainer(identifier: session.place.container, connection: connection)
        let before = requests.count
        let tally = try await Importer(database: container.publicCloudDatabase).bring(
            SeedLoader.records(of: seeds))
        let facts = [
            Field("new", .count(tally.new)), Field("changed", .count(tally.changed)),
            Field("unchanged", .count(tally.unchanged)), Field("requests", .count(requests.count - before)),
        ]
        return Answer(
            form: .record, entries: [Entry(facts)],
            notes: ["imported: \(tally.new) new, \(tally.changed) changed, \(tally.unchanged) as they were"])
    }
}
