import Records
import Testing

@testable import CloudService

@Suite("Rounds over the quotas of containers")
struct QuotaRoundTests {
    private func place(_ name: String) -> ContainerKey {
        ContainerKey(container: name, environment: .development)
    }

    @Test("Each container has its turn, in the order of the names, and the first ones again after the last")
    func turns() {
        var round = QuotaRound()
        let names = (1000..<1000 + QuotaRound.step + 50).map { "c\($0)" }
        let first = round.next(of: names)
        #expect(first == Array(names.prefix(QuotaRound.step)))
        let second = round.next(of: names.reversed())
        #expect(second == Array(names.suffix(50) + names.prefix(QuotaRound.step - 50)))
        // The container with the last turn may be gone.
        #expect(round.next(of: ["a", "z"]) == ["z", "a"])
        #expect(round.next(of: []) == [])
        #expect(round.next(of: ["a"]) == ["a"])
    }

    @Test("The fullest database is remembered until it is measured again or its container is gone")
    func fullest() {
        var round = QuotaRound()
        #expect(round.fullest == nil)
        round.store(50, of: place("a"))
        round.store(95, of: place("b"))
        round.store(0, of: place("c"))
        #expect(round.fullest?.database == "b development" && round.fullest?.percent == 95)
        round.store(20, of: place("b"))
        #expect(round.fullest?.database == "a development")
        _ = round.next(of: ["b"])
        #expect(round.fullest?.percent == 20)
    }
}
