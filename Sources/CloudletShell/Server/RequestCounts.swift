import Foundation

/// Statistics of the requests so far.
struct RequestCounts: Equatable, Sendable {
    /// The counts for one endpoint.
    struct Tally: Equatable, Sendable {
        var requests = 0
        var failures = 0
        var sentBytes = 0
        var receivedBytes = 0
    }

    /// Counts consecutive requests with a property, and keeps the longest such run.
    struct Run: Equatable, Sendable {
        private(set) var longest = 0
        private var length = 0

        init() {}

        mutating func note(_ goesOn: Bool) {
            length = goesOn ? length + 1 : 0
            longest = max(longest, length)
        }
    }

    /// The counts by endpoint, such as `records/query`.
    private(set) var tallies: [String: Tally] = [:]
    private(set) var saves = 0
    /// The number of saves that ignore the change tag.
    private(set) var forcedSaves = 0
    private(set) var queries = 0
    /// The number of queries that restrict neither the fields nor the number of results.
    private(set) var boundlessQueries = 0
    /// Consecutive saves of a single record.
    private(set) var singles = Run()
    /// Consecutive identical requests.
    private(set) var repeats = Run()
    private var lastQuestion: [UInt8] = []

    /// The members of a request's body that show how efficient the request is.
    private struct Body: Decodable {
        struct Operation: Decodable {
            let operationType: String
        }

        let operations: [Operation]?
        let desiredKeys: [String]?
        let resultsLimit: Int?
    }

    /// Counts a request and its result.
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
