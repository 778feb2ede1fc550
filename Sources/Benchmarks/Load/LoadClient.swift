/// An HTTP client with little overhead, because it shares the machine with the measured server: one thread,
/// plain sockets, prepared requests, and responses that are scanned only for their end.
struct LoadClient {
    let address: HTTPAddress
    let connections: Int

    /// Sends the requests 0 ..< count, each as soon as a connection is free. Returns when all are answered.
    ///
    /// - Parameters:
    ///   - request: Returns the request of a number. The measured time includes this call.
    ///   - keepsBodies: Whether `check` receives the body of every response, or only of the first one.
    ///   - check: Throws if a body is not as expected.
    func run(
        count: Int,
        keepsBodies: Bool = false,
        check: ([UInt8]) throws -> Void = { _ in },
        request: (Int) -> LoadRequest
    ) throws -> LoadResult {
        let links = try (0..<min(connections, count)).map { _ in try LoadConnection(address) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
        defer { buffer.deallocate() }
        var result = LoadResult()
        var next = 0
        let watch = try SocketWatch(links.map(\.descriptor))
        let stopwatch = Stopwatch()
        for (index, link) in links.enumerated() {
            try link.begin(request(next), keepsBody: keepsBodies || next == 0)
            try watch.setWriting(index, link.wantsToWrite)
            next += 1
        }
        while result.requests < count {
            try watch.wait { index in
                let link = links[index]
                if link.wantsToWrite { try link.write() }
                if try link.read(into: buffer) {
                    try finish(link, check, &result)
                    if next < count {
                        try link.begin(request(next), keepsBody: keepsBodies)
                        next += 1
                    }
                }
                try watch.setWriting(index, link.wantsToWrite)
            }
        }
        result.seconds = stopwatch.seconds
        return result
    }

    /// Sends one request and returns the body of its response.
    func call(_ request: LoadRequest) throws -> [UInt8] {
        var body: [UInt8] = []
        _ = try run(count: 1, check: { body = $0 }, request: { _ in request })
        return body
    }

    /// Reads the response to a request that was sent on a connection. Throws unless it has the expected
    /// status.
    func finish(_ link: LoadConnection, status: Int = 200) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
        defer { buffer.deallocate() }
        let watch = try SocketWatch([link.descriptor])
        try complete(link, watch, buffer)
        guard link.scanner.status == status else { throw failure(link) }
    }

    /// Sends requests over one connection until `next` returns nil. `next` derives each request from the body
    /// of the previous response.
    func follow(_ first: LoadRequest, next: ([UInt8]) throws -> LoadRequest?) throws -> LoadResult {
        let link = try LoadConnection(address)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
        defer { buffer.deallocate() }
        var result = LoadResult()
        let watch = try SocketWatch([link.descriptor])
        var request: LoadRequest? = first
        let stopwatch = Stopwatch()
        while let present = request {
            try link.begin(present, keepsBody: true)
            try complete(link, watch, buffer)
            try finish(link, { request = try next($0) }, &result)
        }
        result.seconds = stopwatch.seconds
        return result
    }

    /// Sends the rest of a request and reads until its response is complete.
    private func complete(
        _ link: LoadConnection, _ watch: SocketWatch, _ buffer: UnsafeMutableRawBufferPointer
    ) throws {
        var isComplete = false
        while !isComplete {
            try watch.setWriting(0, link.wantsToWrite)
            try watch.wait { _ in
                if link.wantsToWrite { try link.write() }
                isComplete = try link.read(into: buffer)
            }
        }
    }

    private func finish(
        _ link: LoadConnection, _ check: ([UInt8]) throws -> Void, _ result: inout LoadResult
    ) throws {
        guard link.scanner.status == 200 else { throw failure(link) }
        if !link.scanner.body.isEmpty { try check(link.scanner.body) }
        result.requests += 1
        result.bytes += link.scanner.bodyBytes
        result.latencies.add(link.stopwatch.microseconds)
    }

    private func failure(_ link: LoadConnection) -> BenchmarkError {
        let body = String(decoding: link.scanner.body.prefix(500), as: UTF8.self)
        return BenchmarkError("a request was answered with status \(link.scanner.status) \(body)")
    }
}
