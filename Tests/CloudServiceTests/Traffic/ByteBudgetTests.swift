import CloudService
import NIOCore
import Records
import Testing

@testable import TestKit

@Suite("The budget of bytes in memory")
struct ByteBudgetTests {
    private static func network(_ text: String) -> BytePayer {
        .network(ClientNetwork(text: text) ?? ClientNetwork(nil))
    }

    private let alice = network("192.0.2.1")
    private let bob = network("192.0.2.2")
    private let person = BytePayer.person(container: "c", name: "_p")

    @Test("One address gets at most a quarter of the budget, and another address still gets its own")
    func share() {
        var budget = ByteBudget(total: 400, largest: 10)
        #expect(budget.share == 100)
        let first = budget.take(60, for: [alice])
        let second = budget.take(40, for: [alice])
        let third = budget.take(1, for: [alice])
        let other = budget.take(100, for: [bob])
        #expect([first, second, third, other] == [true, true, false, true])
        #expect(budget.used == 200)
        #expect(!budget.hasRoom(for: [alice]))
        budget.giveBack(60, for: [alice])
        #expect(budget.hasRoom(for: [alice]))
    }

    @Test("A person gets at most a quarter over all addresses, and a refusal takes no bytes")
    func onePerson() {
        var budget = ByteBudget(total: 400, largest: 10)
        let first = budget.take(90, for: [alice, person])
        let second = budget.take(20, for: [bob, person])
        let third = budget.take(100, for: [bob])
        #expect([first, second, third] == [true, false, true])
    }

    @Test("The first bytes of a person are not refused because of the address")
    func floor() {
        var budget = ByteBudget(total: 12_800, largest: 10)
        #expect(budget.guaranteedBytes == 100)
        let other = BytePayer.person(container: "c", name: "_q")
        let full = budget.take(3200, for: [alice, person])
        let more = budget.take(1, for: [alice, person])
        let address = budget.take(1, for: [alice])
        let first = budget.take(60, for: [alice, other])
        let rest = budget.take(40, for: [alice, other])
        let beyond = budget.take(1, for: [alice, other])
        #expect([full, more, address, first, rest, beyond] == [true, false, false, true, true, false])
        budget.giveBack(100, for: [alice, other])
        budget.giveBack(3200, for: [alice, person])
        #expect(budget.used == 0)
        #expect(budget.payers == 0)
    }

    @Test("Whatever people behind one address use, another address gets some bytes")
    func manyPeople() {
        var budget = ByteBudget(total: 12_800, largest: 10)
        for number in 1...1000 {
            while budget.take(10, for: [alice, .person(container: "c", name: "_\(number)")]) {}
        }
        let isTaken = budget.take(10, for: [bob])
        #expect(isTaken)
        #expect(budget.used <= 12_800)
    }

    @Test(
        "However many payers hold their maximum, one more payer gets some bytes", arguments: [1, 4, 50, 250])
    func newcomer(payers: Int) {
        var budget = ByteBudget(total: 1_000_000, largest: 10)
        for number in 1...payers {
            while budget.take(100, for: [Self.network("192.0.2.\(number)")]) {}
        }
        let newcomer = [Self.network("198.51.100.1")]
        #expect(budget.hasRoom(for: newcomer))
        let isTaken = budget.take(500, for: newcomer)
        #expect(isTaken)
        #expect(budget.used <= 1_000_000)
    }

    @Test(
        "If n payers take all that they may, about 1 / (1 + 2n/5) of the total is left",
        arguments: [(1, 75), (10, 20), (100, 2)])
    func remainder(payers: Int, percent: Int) {
        var budget = ByteBudget(total: 1_000_000, largest: 10)
        for number in 1...payers {
            while budget.take(10, for: [Self.network("192.0.2.\(number)")]) {}
        }
        let left = budget.total - budget.used
        #expect(left / 10_000 == percent)
        let formula = 1 / (1 + 0.4 * Double(payers))
        let difference = abs(Double(left) / 1_000_000 - formula)
        #expect(difference < 0.04)
    }

    @Test("A piece larger than a share is accepted alone, and the largest piece always fits a share")
    func large() {
        var budget = ByteBudget(total: 400, largest: 10)
        let alone = budget.take(1000, for: [alice])
        let beside = budget.take(1, for: [bob])
        #expect(alone)
        #expect(!beside)
        #expect(!budget.hasRoom(for: [bob]))
        let raised = ByteBudget(total: 5, largest: 70)
        #expect(raised.total == 70)
        #expect(raised.share == 70)
    }

    @Test("Bytes without a payer are limited by the total")
    func withoutPayer() {
        var budget = ByteBudget(total: 400, largest: 10)
        let first = budget.take(300, for: [])
        let tooMany = budget.take(101, for: [])
        let rest = budget.take(100, for: [])
        #expect([first, tooMany, rest] == [true, false, true])
    }

    @Test("After all bytes are given back, in any order, the budget is unused", arguments: 1...20)
    func balance(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        var budget = ByteBudget(total: 1000, largest: 100)
        var held: [(Int, [BytePayer])] = []
        for _ in 0..<500 {
            if Bool.random(using: &random), !held.isEmpty {
                let (bytes, payers) = held.remove(at: Int.random(in: 0..<held.count, using: &random))
                budget.giveBack(bytes, for: payers)
            } else {
                let bytes = Int.random(in: 0...200, using: &random)
                let payers = [Self.network("192.0.2.\(Int.random(in: 1...9, using: &random))"), person]
                if budget.take(bytes, for: payers) { held.append((bytes, payers)) }
            }
            #expect(budget.used == held.reduce(0) { $0 + $1.0 })
            #expect(held.count < 2 || budget.used <= 1000)
        }
        for (bytes, payers) in held { budget.giveBack(bytes, for: payers) }
        #expect(budget.used == 0)
        #expect(budget.payers == 0)
    }

    @Test("A released lease gives back exactly the bytes that it took")
    func lease() throws {
        var limits = Limits()
        limits.receivingBytes = 400
        limits.requestBytes = 100
        let traffic = Traffic(limits)
        do {
            let lease = try traffic.receiving.lease(60, for: [alice])
            try lease.grow(by: 40)
            let error = #expect(throws: RecordError.self) { try lease.grow(by: 1) }
            #expect(error?.code == .tryAgainLater)
            #expect(error?.retryAfter == 5)
            #expect(throws: RecordError.self) { try traffic.receiving.checkRoom(for: [alice]) }
            try traffic.receiving.checkRoom(for: [bob])
            #expect(traffic.receiving.bytes == 100)
        }
        #expect(traffic.receiving.bytes == 0)
        try traffic.receiving.checkRoom(for: [alice])
    }

    @Test("Addresses of one IPv6 network count as one, and an IPv4 address in IPv6 is the IPv4 address")
    func networks() {
        #expect(ClientNetwork(text: "2001:db8::1") == ClientNetwork(text: "2001:db8::ffff:2"))
        #expect(ClientNetwork(text: "2001:db8::1") != ClientNetwork(text: "2001:db8:0:1::1"))
        #expect(ClientNetwork(text: "2001:db8:1:1::1")?.site == ClientNetwork(text: "2001:db8:1:2::1")?.site)
        #expect(ClientNetwork(text: "2001:db8:1::1")?.site != ClientNetwork(text: "2001:db8:2::1")?.site)
        #expect(ClientNetwork(text: "2001:db8:1::1")?.site != ClientNetwork(text: "2001:db8:1::1"))
        #expect(ClientNetwork(text: "192.0.2.1")?.site == nil)
        #expect(ClientNetwork(text: "::ffff:192.0.2.1") == ClientNetwork(text: "192.0.2.1"))
        #expect(ClientNetwork(text: "192.0.2.1") != ClientNetwork(text: "192.0.2.2"))
        #expect(ClientNetwork(text: "::1") != ClientNetwork(text: "127.0.0.1"))
        #expect(ClientNetwork(text: "192.0.2") == nil)
    }
}
