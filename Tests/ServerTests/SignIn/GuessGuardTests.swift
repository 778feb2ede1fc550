// Owns the proof that guessing passwords gets slower and slower, and that it passes.

import Records
import Testing

@testable import CloudService

@Suite("Guesses")
struct GuessGuardTests {
    private let start = Timestamp(milliseconds: 1_000_000)

    /// The waits that a row of wrong guesses meets, each made as soon as it is allowed.
    private func waits(_ count: Int, _ subjects: [GuessGuard.Subject]) -> [Int] {
        var guesses = GuessGuard()
        var now = start
        var waits: [Int] = []
        for _ in 0..<count {
            var waited = 0
            while let wait = guesses.begin(subjects, at: now) {
                waited += wait
                now = now.advanced(bySeconds: Int64(wait))
            }
            waits.append(waited)
        }
        return waits
    }

    @Test("Five guesses at an account are free, then each waits twice as long, a quarter of an hour at most")
    func account() {
        let expected = [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]
        #expect(waits(17, [.account("ann")]) == expected)
    }

    @Test("An address has twenty free guesses, whatever the accounts")
    func address() {
        var guesses = GuessGuard()
        for number in 0..<20 {
            #expect(guesses.begin([.account("\(number)"), .address("a")], at: start) == nil)
        }
        #expect(guesses.begin([.account("new"), .address("a")], at: start) == 1)
        #expect(guesses.begin([.account("new"), .address("b")], at: start) == nil)
    }

    @Test("Who is refused is not counted, so the wait told is true")
    func refusals() {
        var guesses = GuessGuard()
        for _ in 0..<7 { _ = guesses.begin([.account("ann")], at: start) }
        #expect(guesses.begin([.account("ann")], at: start) == 1)
        for _ in 0..<100 { _ = guesses.begin([.account("ann")], at: start) }
        #expect(guesses.begin([.account("ann")], at: start.advanced(bySeconds: 1)) == nil)
    }

    @Test("Success makes the account's wrong guesses good, and its own with the address")
    func success() {
        var guesses = GuessGuard()
        let subjects: [GuessGuard.Subject] = [.account("ann"), .address("a")]
        for _ in 0..<100 {
            #expect(guesses.begin(subjects, at: start) == nil)
            guesses.succeeded(subjects)
        }
        for _ in 0..<4 { #expect(guesses.begin([.account("ann")], at: start) == nil) }
        guesses.succeeded([.account("ann")])
        for _ in 0..<5 { #expect(guesses.begin([.account("ann")], at: start) == nil) }
        #expect(guesses.begin([.account("ann")], at: start) == 1)
    }

    @Test("An hour without guesses makes up for all")
    func forgetting() {
        var guesses = GuessGuard()
        var now = start
        for _ in 0..<12 {
            while let wait = guesses.begin([.account("ann")], at: now) {
                now = now.advanced(bySeconds: Int64(wait))
            }
        }
        now = now.advanced(bySeconds: 3600)
        for _ in 0..<5 { #expect(guesses.begin([.account("ann")], at: now) == nil) }
        #expect(guesses.begin([.account("ann")], at: now) == 1)
    }

    @Test("However many names are tried, what is remembered stays bounded, and the latest are in it")
    func bounded() {
        var guesses = GuessGuard()
        for number in 0..<50_000 {
            let now = Timestamp(milliseconds: start.milliseconds + Int64(number))
            #expect(guesses.begin([.account("\(number)")], at: now) == nil)
        }
        #expect(guesses.count <= 20_001)
    }
}
