import Foundation

/// The requests so far, by what they asked for.
struct Traffic: Equatable, Sendable {
    /// Requests for one thing.
    struct Tally: Equatable, Sendable {
        var requests = 0
        var failures = 0
        var sentBytes = 0
        var receivedBytes = 0
    }

    /// A row of equal habits.
    struct Run: Equatable, Sendable {
        private(set) var longest = 0
        private var length = 0

        init() {}

        mutating func note(_ goesOn: Bool) {
            length = goesOn ? length + 1 : 0
            longest = max(longest, length)
        }
    }

    /// The tallies by endpoint, `records/query` for example.
    private(set) var tallies: [String: Tally] = [:]
    private(set) var saves = 0
    /// Saves that would overwrite whatever is there.
    private(set) var forcedSaves = 0
    private(set) var queries = 0
    /// Queries that name neither fields nor a limit.
    private(set) var boundlessQueries = 0
    /// Saves of one record, one after the other.
    private(set) var singles = Run()
    /// The same question, asked again and again.
    private(set) var repeats = Run()
    private var lastQuestion: [UInt8] = []

    /// What of a request's body tells how well it was made.
    private struct Body: Decodable {
        struct Operation: Decodable {
            let operationType: String
        }

        let operations: [Operation]?
        let desiredKeys: [String]?
        let resultsLimit: Int?
    }

    /// Notes a request and what came of it.
    mutating func note(_ endpoint: String, body: [UInt8], failed: Bool, receivedBytes: Int) {
        tallies[endpoint, default: Tally()].requests += 1
        tallies[endpoint, default: Tally()].sentBytes += body.count
        tallies[endpoint, default: Tally()].receivedBytes += receivedBytes
        if failed { tallies[endpoint, default: Tally()].failures += 1 }
        let question = Array(endpoint.utf8) + body
        repeats.note(endpoint != "records/modify" && question == lastQuestion)
        lastQuestion = question
        switch endpoint {
        case "records/modify": noteChanges(body)
        case "records/query": noteQuery(body)
        default: break
        }
    }

    private mutating func noteChanges(_ body: [UInt8]) {
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(body)) else { return }
        let types = (body.operations ?? []).map(\.operationType)
        saves += types.count { $0 != "delete" && $0 != "forceDelete" }
        forcedSaves += types.count { ["forceUpdate", "forceReplace"].contains($0) }
        singles.note(types.count == 1)
    }

    private mutating func noteQuery(_ body: [UInt8]) {
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(body)) else { return }
        queries += 1
        if body.desiredKeys == nil, body.resultsLimit == nil { boundlessQueries += 1 }
    }
}
