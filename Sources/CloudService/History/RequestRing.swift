import Records

/// A ring buffer of the last requests, limited in their number and in the bytes of their texts.
struct RequestRing: Sendable {
    private var slots: [LoggedRequest?]
    /// The slot of the next request.
    private var next = 0
    private(set) var count = 0
    private(set) var bytes = 0
    private(set) var lastNumber: Int64 = 0
    private let byteLimit: Int

    init(count: Int, bytes: Int) {
        slots = Array(repeating: nil, count: max(1, count))
        byteLimit = bytes
    }

    /// Adds a request, which gets the next number, and removes the oldest ones that exceed the limits.
    mutating func add(_ request: LoggedRequest) {
        var request = request.kept
        lastNumber += 1
        request.number = lastNumber
        if let oldest = slots[next] { forget(oldest) }
        slots[next] = request
        next = (next + 1) % slots.count
        count += 1
        bytes += Self.size(of: request)
        while bytes > byteLimit, count > 1 {
            let place = (next - count + slots.count) % slots.count
            guard let oldest = slots[place] else { break }
            forget(oldest)
            slots[place] = nil
        }
    }

    private mutating func forget(_ request: LoggedRequest) {
        count -= 1
        bytes -= Self.size(of: request)
    }

    /// The bytes of the texts of an entry.
    private static func size(of request: LoggedRequest) -> Int {
        let texts = [
            request.operation, request.container ?? "", request.client, request.person ?? "",
            request.device ?? "", request.reason ?? "", request.id ?? "",
        ]
        return (texts + request.recordNames).reduce(0) { $0 + $1.utf8.count }
    }

    /// The newest requests that a filter admits, newest first, at most `limit`.
    func newest(_ limit: Int, _ filter: RequestFilter) -> [LoggedRequest] {
        var found: [LoggedRequest] = []
        for age in 1...max(1, count) where found.count < limit {
            let place = (next - age + slots.count) % slots.count
            if let request = slots[place], filter.admits(request) { found.append(request) }
        }
        return found
    }

    /// The oldest requests that a filter admits, oldest first, at most `limit`.
    func oldest(_ limit: Int, _ filter: RequestFilter) -> [LoggedRequest] {
        var found: [LoggedRequest] = []
        for age in (1...max(1, count)).reversed() where found.count < limit {
            let place = (next - age + slots.count) % slots.count
            if let request = slots[place], filter.admits(request) { found.append(request) }
        }
        return found
    }
}
