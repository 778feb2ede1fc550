// Owns doing the commands that tell how things stand: where one is, what waits, what is allowed.
import Cloudlet
import Foundation
import LocalReplica

extension Interpreter {
    func status() async throws -> Answer {
        note(try await knownFaults())
        let facts = try await site.facts()
        // What goes wrong on purpose must not hide the status that shows it.
        let account = try? await container.accountStatus()
        let files = try await site.assetFileCount(in: session.place.container)
        let fields = [
            Field("container", .text(session.place.container)),
            Field("environment", .text(session.place.environment.rawValue)),
            Field("person", Value(session.account?.person)),
            Field("account", .text(account.map { "\($0)" } ?? "cannot be told now")),
            Field("device", .text(session.device)),
            Field("online", .flag(!site.network.isOffline(session.device))),
            Field("database", .text(session.database)),
            Field("pending", await pendingCount().map(Value.count) ?? .missing),
            Field("privateData", await privateData() ?? .missing),
            Field("limits", facts.map { Self.chief($0) } ?? .missing),
            Field("faults", .texts(session.faultMarks)),
            Field("thumbnails", .flag(tools.thumbnailer != nil)),
            Field("assetFiles", files.map(Value.count) ?? .missing),
            Field("release", Value(facts?.release)),
        ]
        return Answer(form: .record, entries: [Entry(fields)], notes: ["server: \(serverPlace)"])
    }

    /// Where the server is. That is no result: the same script answers the same wherever it runs; and where
    /// a run is to be repeated exactly, the port that chance gave is left out.
    private var serverPlace: String {
        guard site.isEmbedded, !tools.isClockFixed, let address = site.address else { return site.place }
        return "\(site.place), at \(address.absoluteString)"
    }

    /// How many changes of this person wait on this device; nothing when nobody is signed in.
    private func pendingCount() async -> Int? {
        guard session.account != nil else { return nil }
        guard let data = try? personalIfAny() else { return 0 }
        return try? await data.replica.read { try $0.pendingChanges().count }
    }

    /// What the person's private data takes up, and may.
    private func privateData() async -> Value? {
        guard let account = session.account,
            let room = try? await site.privateRoom(
                of: account.person, in: session.place.container, token: account.session.webAuthToken)
        else { return nil }
        let limit = room.privateBytesLimit.map { Field("limit", .bytes($0)) }
        return .fields([Field("used", .bytes(room.privateBytes))] + [limit].compactMap(\.self))
    }

    /// The limits that apps meet first.
    private static func chief(_ facts: ServerFacts) -> Value {
        let names = ["operationsPerRequest", "recordsPerResponse", "recordBytes", "assetBytes"]
        let rates = facts.rates.sorted { $0.key < $1.key }.map { who, rate in
            Field("\(who)Rate", .text(text(of: rate)))
        }
        return .fields(names.map { Field($0, facts.value(of: $0)) } + rates)
    }

    private static func text(of rate: ServerFacts.Rate) -> String {
        "\(Answer.counted(rate.requests, "request")) in \(rate.seconds) s"
    }

    /// Every limit that the server publishes.
    func limits() async throws -> Answer {
        guard let facts = try await site.facts() else {
            throw Complaint(code: "notTold", message: "the server does not publish its limits")
        }
        let limits = facts.limits.keys.sorted().map { ($0, facts.value(of: $0)) }
        let rates = facts.rates.sorted { $0.key < $1.key }.map { who, rate in
            ("\(who)Rate", Value.text(Self.text(of: rate)))
        }
        let quota = facts.quota.sorted { $0.key < $1.key }.map { name, number in
            ("quota.\(name)", name == "mostUsers" ? Value.count(number) : .bytes(number))
        }
        return Answer(
            form: .list,
            entries: (limits + rates + quota).map { name, value in
                Entry([Field("limit", .text(name)), Field("value", value)])
            },
            columns: [Column("LIMIT", "limit"), Column("VALUE", "value")])
    }
}
