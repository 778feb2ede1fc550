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

    /// The length of the longest run of consecutive requests that have a property.
    struct Run: Equatable, Sendable {
        private(set) var longest = 0
        private var length = 0

        init() {}

        /// Counts the next request. A request without the property ends the run.
        mutating func record(_ hasProperty: Bool) {
            length = hasProperty ? length + 1 : 0
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
    private var lastRequest: [UInt8] = []
    /// How often the server answered with each error code, for a request or for one of its items.
    private(set) var errors: [String: Int] = [:]
    /// How often each error code was received again because the same request was sent again.
    private(set) var unhandled: [String: Int] = [:]
    private var lastErrors: Set<String> = []
    private(set) var operations = 0
    /// The number of operations with the default quality of service.
    private(set) var unconfigured = 0
    /// The number of saves of a record that has a list of references.
    private(set) var referenceLists = 0
    /// The number of requests whose records have more than `bigRecord` bytes each on average.
    private(set) var bigSaves = 0

    /// The average size of a request's records, in bytes, above which their large values should be assets.
    private static let bigRecord = 100_000

    /// The members of a request's body that show how efficient the request is.
    private struct Body: Decodable {
        struct Operation: Decodable {
            let operationType: String
            let record: Record?
        }
        struct Record: Decodable {
            let fields: [String: Value]?
        }
        struct Value: Decodable {
            let type: String?
        }

        let operations: [Operation]?
        let desiredKeys: [String]?
        let resultsLimit: Int?
    }

    /// Counts a request and its result.
    mutating func record(_ endpoint: String, body: [UInt8], failed: Bool, received: [UInt8]) {
        tallies[endpoint, default: Tally()].requests += 1
        tallies[endpoint, default: Tally()].sentBytes += body.count
        tallies[endpoint, default: Tally()].receivedBytes += received.count
        if failed { tallies[endpoint, default: Tally()].failures += 1 }
        let request = Array(endpoint.utf8) + body
        recordErrors(in: received, isRepeat: request == lastRequest)
        repeats.record(endpoint != "records/modify" && request == lastRequest)
        lastRequest = request
        switch endpoint {
        case "records/modify": recordChanges(body)
        case "records/query": recordQuery(body)
        default: break
        }
    }

    /// Counts an operation with its quality of service.
    mutating func record(operation quality: QualityOfService) {
        operations += 1
        if quality == .default { unconfigured += 1 }
    }

    /// Counts the error codes of an answer. A code that the same request has just received is unhandled,
    /// because the app has changed nothing before it sent the request again.
    private mutating func recordErrors(in answer: [UInt8], isRepeat: Bool) {
        let parts = String(decoding: answer, as: UTF8.self).components(separatedBy: #""serverErrorCode":""#)
        let codes = parts.dropFirst().map { String($0.prefix { $0 != "\"" }) }
        for code in codes { errors[code, default: 0] += 1 }
        let current = Set(codes)
        if isRepeat {
            for code in current.intersection(lastErrors) { unhandled[code, default: 0] += 1 }
        }
        lastErrors = current
    }

    private mutating func recordChanges(_ body: [UInt8]) {
        guard let changes = try? JSONDecoder().decode(Body.self, from: Data(body)) else { return }
        let operations = changes.operations ?? []
        let types = operations.map(\.operationType)
        referenceLists += operations.count { operation in
            operation.record?.fields?.values.contains { $0.type == "REFERENCE_LIST" } ?? false
        }
        if body.count > Self.bigRecord * max(types.count, 1) { bigSaves += 1 }
        saves += types.count { $0 != "delete" && $0 != "forceDelete" }
        forcedSaves += types.count { ["forceUpdate", "forceReplace"].contains($0) }
        singles.record(types.count == 1)
    }

    private mutating func recordQuery(_ body: [UInt8]) {
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(body)) else { return }
        queries += 1
        if body.desiredKeys == nil, body.resultsLimit == nil { boundlessQueries += 1 }
    }
}
