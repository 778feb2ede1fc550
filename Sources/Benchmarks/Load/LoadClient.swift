// Owns the sending of many requests over a few connections, as fast as the answers come.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A client that costs little: one thread, plain sockets, requests made beforehand, answers only scanned for
/// their end. It shares the machine with the server it loads, as every client of these measurements does.
struct LoadClient {
    let address: HTTPAddress
    let connections: Int

    /// Sends requests 0 ..< count, each as soon as a connection is free, and returns when all are answered.
    ///
    /// - Parameters:
    ///   - request: makes a request; called while the clock runs.
    ///   - keepsBodies: whether `check` sees the body of every answer, or of the first only.
    ///   - check: throws if a body is not what it should be.
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
        var polls = links.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        let stopwatch = Stopwatch()
        for link in links {
            try link.begin(request(next), keepsBody: keepsBodies || next == 0)
            next += 1
        }
        while result.requests < count {
            try wait(for: links, &polls)
            for (place, link) in links.enumerated() where polls[place].revents != 0 {
                if polls[place].revents & Int16(POLLOUT) != 0 { try link.write() }
                guard try link.read(into: buffer) else { continue }
                try finish(link, check, &result)
                guard next < count else { continue }
                try link.begin(request(next), keepsBody: keepsBodies)
                next += 1
            }
        }
        result.seconds = stopwatch.seconds
        return result
    }

    /// Sends one request and returns the body of its answer.
    func call(_ request: LoadRequest) throws -> [UInt8] {
        var body: [UInt8] = []
        _ = try run(count: 1, check: { body = $0 }, request: { _ in request })
        return body
    }

    /// Reads the answer to a request that was begun on a connection; throws unless it has that status.
    func finish(_ link: LoadConnection, status: Int = 200) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
        defer { buffer.deallocate() }
        var polls = [pollfd(fd: link.descriptor, events: Int16(POLLIN), revents: 0)]
        repeat { try wait(for: [link], &polls) } while try !link.read(into: buffer)
        guard link.scanner.status == status else { throw failure(link) }
    }

    /// Sends requests over one connection, each made from the answer to the one before, until there is no
    /// next.
    func follow(_ first: LoadRequest, next: ([UInt8]) throws -> LoadRequest?) throws -> LoadResult {
        let link = try LoadConnection(address)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
        defer { buffer.deallocate() }
        var result = LoadResult()
        var polls = [pollfd(fd: link.descriptor, events: Int16(POLLIN), revents: 0)]
        var request: LoadRequest? = first
        let stopwatch = Stopwatch()
        while let present = request {
            try link.begin(present, keepsBody: true)
            repeat { try wait(for: [link], &polls) } while try !link.read(into: buffer)
            try finish(link, { request = try next($0) }, &result)
        }
        result.seconds = stopwatch.seconds
        return result
    }

    private func wait(for links: [LoadConnection], _ polls: inout [pollfd]) throws {
        for (place, link) in links.enumerated() {
            polls[place].events = Int16(POLLIN) | (link.wantsToWrite ? Int16(POLLOUT) : 0)
        }
        guard poll(&polls, nfds_t(polls.count), 60_000) > 0 else {
            throw BenchmarkError("no answer within a minute")
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
