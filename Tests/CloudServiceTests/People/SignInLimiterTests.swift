import Records
import Testing

@testable import CloudService

@Suite("Limits on signing in")
struct SignInLimiterTests {
    private let start = Timestamp(milliseconds: 1_000_000)

    private func attempt(_ account: String, from address: String? = nil) -> SignInLimiter.Attempt {
        SignInLimiter.Attempt(account: account, address: address)
    }

    /// The waits of successive wrong attempts, each made as soon as it is allowed.
    private func waits(_ count: Int, _ attempt: (Int) -> SignInLimiter.Attempt) -> [Int] {
        var limiter = SignInLimiter()
        var now = start
        var waits: [Int] = []
        for number in 0..<count {
            var waited = 0
            while let wait = limiter.begin(attempt(number), at: now) {
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
        #expect(waits(17) { _ in attempt("ann") } == expected)
        #expect(waits(17) { _ in attempt("ann", from: "a") } == expected)
    }

    @Test("A name of one character with many bytes is shortened before it is stored")
    func longName() {
        #expect(attempt("a" + String(repeating: "\u{301}", count: 20_000)).account.utf8.count <= 256)
        #expect(attempt("ann").account == "ann")
    }

    @Test("After a hundred attempts at an account, each network has one free attempt")
    func distributed() {
        var limiter = SignInLimiter()
        for number in 0..<200 {
            #expect(limiter.begin(attempt("ann", from: "address \(number)"), at: start) == nil)
        }
        var now = start
        for wait in [nil, 1, 2, 4, 8] {
            if let wait {
                #expect(limiter.begin(attempt("ann", from: "fresh"), at: now) == wait)
                now = now.advanced(bySeconds: Int64(wait))
            }
            #expect(limiter.begin(attempt("ann", from: "fresh"), at: now) == nil)
        }
        // A network that guessed before the hundredth attempt has no free attempt left.
        #expect(limiter.begin(attempt("ann", from: "address 1"), at: now) == nil)
        #expect(limiter.begin(attempt("ann", from: "address 1"), at: now) == 2)
    }

    @Test(
        "A household with many addresses is slowed down, and delays nobody elsewhere",
        arguments: ["2001:db8:7", "192.0.2"])
    func household(prefix: String) {
        func inside(_ number: Int) -> String {
            prefix.contains(":") ? "\(prefix):\(String(number, radix: 16))::/64" : "\(prefix).\(number)"
        }
        let elsewhere = prefix.contains(":") ? "2001:db8:8:1::/64" : "192.0.3.1"
        var limiter = SignInLimiter()
        // Five attempts from each of twenty addresses. For one account, twenty attempts of a network are
        // free.
        var refused = 0
        for number in 0..<100 where limiter.begin(attempt("ann", from: inside(number / 5)), at: start) != nil
        {
            refused += 1
        }
        #expect(refused == 80)
        #expect(limiter.begin(attempt("ann", from: inside(50)), at: start) == 1)
        for _ in 0..<5 { #expect(limiter.begin(attempt("ann", from: elsewhere), at: start) == nil) }
        // Over all accounts, sixty attempts of a network are free.
        for number in 20..<60 {
            #expect(limiter.begin(attempt("\(number)", from: inside(number)), at: start) == nil)
        }
        #expect(limiter.begin(attempt("bob", from: inside(61)), at: start) == 1)
        #expect(limiter.begin(attempt("bob", from: elsewhere), at: start) == nil)
    }

    @Test("An attempt whose password was not checked does not count")
    func takenBack() {
        var limiter = SignInLimiter()
        for _ in 0..<200 {
            #expect(limiter.begin(attempt("ann", from: "a"), at: start) == nil)
            limiter.takeBack(attempt("ann", from: "a"))
        }
        for _ in 0..<5 { #expect(limiter.begin(attempt("ann", from: "a"), at: start) == nil) }
        #expect(limiter.begin(attempt("ann", from: "a"), at: start) == 1)
    }

    @Test("An address has twenty free attempts over all accounts")
    func address() {
        var limiter = SignInLimiter()
        for number in 0..<20 {
            #expect(limiter.begin(attempt("\(number)", from: "a"), at: start) == nil)
        }
        #expect(limiter.begin(attempt("new", from: "a"), at: start) == 1)
        #expect(limiter.begin(attempt("new", from: "b"), at: start) == nil)
    }

    @Test("A stranger's wrong guesses do not keep the owner out")
    func stranger() {
        var limiter = SignInLimiter()
        for _ in 0..<50 { _ = limiter.begin(attempt("ann", from: "mallory"), at: start) }
        #expect(limiter.begin(attempt("ann", from: "mallory"), at: start) != nil)
        // The owner can sign in from another address,
        #expect(limiter.begin(attempt("ann", from: "home"), at: start) == nil)
        limiter.succeeded(attempt("ann", from: "home"), at: start)
        // and from an address from which the owner has signed in before, however many strangers guess.
        for number in 0..<200 { _ = limiter.begin(attempt("ann", from: "address \(number)"), at: start) }
        #expect(limiter.begin(attempt("ann", from: "elsewhere"), at: start) == nil)
        #expect(limiter.begin(attempt("ann", from: "elsewhere"), at: start) == 1)
        #expect(limiter.begin(attempt("ann", from: "home"), at: start) == nil)
        // Guesses from that address are slowed down too.
        for _ in 0..<4 { #expect(limiter.begin(attempt("ann", from: "home"), at: start) == nil) }
        #expect(limiter.begin(attempt("ann", from: "home"), at: start) == 1)
    }

    @Test("The owner's success gives strangers no new free attempts")
    func noReset() {
        var limiter = SignInLimiter()
        for number in 0..<101 { _ = limiter.begin(attempt("ann", from: "address \(number)"), at: start) }
        let later = start.advanced(bySeconds: 1)
        #expect(limiter.begin(attempt("ann", from: "home"), at: later) == nil)
        limiter.succeeded(attempt("ann", from: "home"), at: later)
        #expect(limiter.begin(attempt("ann", from: "new"), at: later) == nil)
        #expect(limiter.begin(attempt("ann", from: "new"), at: later) == 1)
    }

    @Test("A refused attempt does not count, so the announced wait is exact")
    func refusals() {
        var limiter = SignInLimiter()
        for _ in 0..<7 { _ = limiter.begin(attempt("ann"), at: start) }
        #expect(limiter.begin(attempt("ann"), at: start) == 1)
        for _ in 0..<100 { _ = limiter.begin(attempt("ann"), at: start) }
        #expect(limiter.begin(attempt("ann"), at: start.advanced(bySeconds: 1)) == nil)
    }

    @Test("A success resets the count of the account and address, and is not counted itself")
    func success() {
        var limiter = SignInLimiter()
        let own = attempt("ann", from: "a")
        for _ in 0..<100 {
            #expect(limiter.begin(own, at: start) == nil)
            limiter.succeeded(own, at: start)
        }
        for _ in 0..<4 { #expect(limiter.begin(own, at: start) == nil) }
        limiter.succeeded(own, at: start)
        for _ in 0..<5 { #expect(limiter.begin(own, at: start) == nil) }
        #expect(limiter.begin(own, at: start) == 1)
    }

    @Test("An hour without attempts resets all counts")
    func forgetting() {
        var limiter = SignInLimiter()
        var now = start
        for _ in 0..<12 {
            while let wait = limiter.begin(attempt("ann"), at: now) {
                now = now.advanced(bySeconds: Int64(wait))
            }
        }
        now = now.advanced(bySeconds: 3600)
        for _ in 0..<5 { #expect(limiter.begin(attempt("ann"), at: now) == nil) }
        #expect(limiter.begin(attempt("ann"), at: now) == 1)
    }

    @Test("The number of stored counts is bounded, and the latest are kept")
    func bounded() {
        var limiter = SignInLimiter()
        for number in 0..<50_000 {
            let now = Timestamp(milliseconds: start.milliseconds + Int64(number))
            #expect(limiter.begin(attempt("\(number)"), at: now) == nil)
            if number.isMultiple(of: 2) { limiter.succeeded(attempt("\(number)"), at: now) }
        }
        #expect(limiter.count <= 40_000)
        // The last account had one attempt, so four more are free.
        let end = Timestamp(milliseconds: start.milliseconds + 49_999)
        for _ in 0..<4 { #expect(limiter.begin(attempt("49999"), at: end) == nil) }
        #expect(limiter.begin(attempt("49999"), at: end) == 1)
    }
}
