import Records
import Synchronization
import Testing

@testable import CloudService
@testable import RecordStore
@testable import TestKit

@Suite("Request rates of several nodes")
struct NodeRateTests {
    /// The rate limiters of nodes with one clock.
    private final class Nodes: Sendable {
        private let clock: Clock
        let limiters: [RateLimiter]

        private final class Clock: Sendable {
            let milliseconds = Mutex<Int64>(0)
        }

        init(_ count: Int, _ limits: Limits = NodeRateTests.limits) {
            let clock = Clock()
            let runtime = ServerRuntime(
                now: { Timestamp(milliseconds: clock.milliseconds.withLock { $0 }) },
                randomBytes: { [UInt8](repeating: 0, count: $0) }, pause: { _ in }, idle: { _ in },
                uptime: { .zero })
            limiters = (0..<count).map { _ in
                RateLimiter(limits: limits, runtime: runtime, isNode: count > 1)
            }
            self.clock = clock
        }

        var now: Int64 { clock.milliseconds.withLock { $0 } }

        func advance(byMilliseconds step: Int64) { clock.milliseconds.withLock { $0 += step } }

        /// The number of requests of a person that a node answers, until it refuses one.
        func answered(by node: Int, _ person: String = "_a", atMost most: Int = .max) -> Int {
            let caller = Caller(container: "c", environment: .development, identity: .person(person))
            var count = 0
            while count < most, limiters[node].charge(caller)?.retryAfter == nil { count += 1 }
            return count
        }

        /// A node tells the others what it has counted.
        func tell(from node: Int) {
            for message in limiters[node].messagesToNodes() {
                for (index, limiter) in limiters.enumerated() where index != node { limiter.follow(message) }
            }
        }
    }

    private static let rate = RequestRate(requests: 20, seconds: 10)

    private static var limits: Limits {
        var limits = Limits()
        limits.personRate = rate
        limits.containerRate = RequestRate(requests: 1_000_000, seconds: 1)
        limits.followedRecords = 10
        limits.followedSeconds = 10
        return limits
    }

    @Test(
        "Nodes together answer the rate, and at most a bucket and a second more for each other node",
        arguments: [1, 2, 3, 5], [1, 400])
    func overshoot(nodeCount: Int, pauseSteps: Int) {
        let nodes = Nodes(nodeCount)
        let step = 50 as Int64
        let (capacity, perStep) = (Double(Self.rate.requests), 2.0 * Double(step) / 1000)
        let allowed = capacity + Double(nodeCount - 1) * (capacity + 2.0)
        var (total, lowest, worst) = (0.0, 0.0, 0.0)
        for number in 0..<8000 {
            // A person sends as many requests as are answered, at all nodes, and with pauses in which the
            // buckets fill.
            if number.isMultiple(of: pauseSteps) {
                for node in 0..<nodeCount { total += Double(nodes.answered(by: node)) }
            }
            // What was answered in any period until now, beyond what the rate gives in it.
            let surplus = total - Double(number) * perStep
            worst = max(worst, surplus - lowest)
            lowest = min(lowest, surplus)
            // Each node tells the others once a second, at a moment of its own.
            for node in 0..<nodeCount where (nodes.now + Int64(node) * 150) % 1000 == 0 {
                nodes.tell(from: node)
            }
            nodes.advance(byMilliseconds: step)
        }
        #expect(worst <= allowed)
        // The rate is what a person really gets, at one node as at five.
        if pauseSteps == 1 { #expect(total >= 8000 * perStep) }
    }

    @Test(
        "A person whose requests all go to one node has the whole rate; the other nodes then have none left"
    )
    func oneNode() {
        let nodes = Nodes(3)
        #expect(nodes.answered(by: 1) == 20)
        nodes.tell(from: 1)
        #expect(nodes.answered(by: 0) == 0)
        #expect(nodes.answered(by: 2, "_b") == 20)
        nodes.advance(byMilliseconds: 10_000)
        #expect(nodes.answered(by: 1) == 20)
        #expect(nodes.limiters[0].messagesToNodes() == [])
    }

    @Test("What several nodes have answered before they knew of each other is a debt that is paid by waiting")
    func debt() {
        let nodes = Nodes(3)
        let first = (0..<3).map { nodes.answered(by: $0) }
        #expect(first == [20, 20, 20])
        for node in 0..<3 { nodes.tell(from: node) }
        // 40 requests too many, and one to be answered: at two in a second.
        nodes.advance(byMilliseconds: 20_499)
        let early = (0..<3).map { nodes.answered(by: $0) }
        #expect(early == [0, 0, 0])
        nodes.advance(byMilliseconds: 1)
        #expect(nodes.answered(by: 2) == 1)
    }

    @Test("Records that deletions follow count at all nodes")
    func followed() throws {
        let nodes = Nodes(2)
        let caller = Caller(container: "c", environment: .development, identity: .person("_a"))
        let batches = try [0, 1, 1].map { try #require(nodes.limiters[$0].followedRecords(by: caller)) }
        batches[0].charge(25)
        try batches[1].begin()
        nodes.tell(from: 0)
        let error = #expect(throws: RecordError.self) { try batches[2].begin() }
        #expect(error?.code == .tryAgainLater)
        // The debt is 15 records, and one to be followed: at one in a second.
        #expect(error?.retryAfter == 16)
    }

    @Test("A server without other nodes has nothing to tell")
    func alone() {
        let nodes = Nodes(1)
        #expect(nodes.answered(by: 0) == 20)
        #expect(nodes.limiters[0].messagesToNodes() == [])
    }

    @Test("Messages have every payer as it was, whatever its token contains, and are short enough to be sent")
    func messages() throws {
        let address = try #require(ClientNetwork(text: "192.0.2.1"))
        let network = try #require(ClientNetwork(text: "2001:db8:1:2::1"))
        let site = try #require(network.site)
        let odd = "a,b c\n\0ä"
        var payers: [RequestPayer] = [
            .person(container: "c", name: "_a"), .container("c"), .app(container: "c", token: nil),
            .app(container: "c", token: ""), .app(container: "c", token: odd),
            .address(address, container: "c", token: nil), .address(network, container: "c", token: odd),
            .address(site, container: "c", token: ""),
        ]
        payers += (0..<500).map { .person(container: "iCloud.org.example", name: "_person\($0)") }
        let entries = payers.enumerated().map { number, payer in
            RequestMessage.Entry(
                unit: number.isMultiple(of: 2) ? .requests : .followedRecords, count: number + 1, payer: payer
            )
        }
        let texts = RequestMessage(entries).texts
        #expect(texts.count > 1)
        #expect(texts.map(\.utf8.count).max() ?? 0 < 7900)
        let read = texts.compactMap { RequestMessage(text: $0)?.entries }
        #expect(Array(read.joined()) == entries)
    }

    @Test(
        "What a node of another release says is left out, and the rest counts",
        arguments: [
            ("colours 1", nil), ("requests ", 0), ("requests 1 requests moon 63", 0),
            ("requests 1 colours person 63 5f61", 0), ("requests -1 requests container 63", 0),
            ("requests 1 requests person 63", 0), ("requests 1 requests container 6", 0),
            ("requests 1 requests address 192 63,2 requests container 63", 2),
            ("requests 1 requests moon 63,2 requests container 63", 1),
        ] as [(String, Int?)])
    func other(text: String, count: Int?) {
        #expect(RequestMessage(text: text)?.entries.count == count)
    }
}
