import Records
import Testing

@testable import CloudService

@Suite("Accepted signatures")
struct ReplayCacheTests {
    private let start = Timestamp(milliseconds: 1_000_000_000_000)

    private func cache(capacity: Int = 100) -> ReplayCache {
        var limits = Limits()
        limits.signaturesPerKey = capacity
        return ReplayCache(began: start, limits: limits)
    }

    @Test("A change is accepted once for each key, whatever other keys and requests do")
    func once() {
        var cache = cache()
        #expect(cache.accept(1, of: "k", dated: start, isRead: false, at: start) == .accepted)
        #expect(cache.accept(1, of: "k", dated: start, isRead: false, at: start) == .repeated)
        #expect(cache.accept(2, of: "k", dated: start, isRead: false, at: start) == .accepted)
        #expect(cache.accept(1, of: "l", dated: start, isRead: false, at: start) == .accepted)
    }

    @Test("A read is accepted again for two seconds after the first time")
    func reads() {
        var cache = cache()
        let date = start.advanced(bySeconds: 300)
        #expect(cache.accept(1, of: "k", dated: date, isRead: true, at: start) == .accepted)
        let soon = start.advanced(bySeconds: 2)
        #expect(cache.accept(1, of: "k", dated: date, isRead: true, at: soon) == .accepted)
        #expect(cache.accept(1, of: "k", dated: date, isRead: false, at: soon) == .repeated)
        let later = start.advanced(bySeconds: 3)
        #expect(cache.accept(1, of: "k", dated: date, isRead: true, at: later) == .repeated)
    }

    @Test("At its limit a key is throttled, and no request is forgotten while its date is accepted")
    func full() {
        var cache = cache(capacity: 2)
        #expect(cache.accept(1, of: "k", dated: start, isRead: true, at: start) == .accepted)
        #expect(cache.accept(2, of: "k", dated: start, isRead: true, at: start) == .accepted)
        guard case .full(let seconds) = cache.accept(3, of: "k", dated: start, isRead: true, at: start) else {
            Issue.record("a third request was taken")
            return
        }
        #expect((601...661).contains(seconds))
        #expect(cache.accept(3, of: "l", dated: start, isRead: true, at: start) == .accepted)
        #expect(cache.accept(1, of: "k", dated: start, isRead: false, at: start) == .repeated)
        let before = start.advanced(bySeconds: 601)
        #expect(cache.accept(1, of: "k", dated: start, isRead: false, at: before) == .repeated)
        let after = start.advanced(bySeconds: Int64(seconds))
        #expect(cache.accept(4, of: "k", dated: after, isRead: true, at: after) == .accepted)
        #expect(cache.count(of: "k") == 1)
    }

    @Test("A change dated before the server's start may have been executed, so it must be signed again")
    func restart() {
        var cache = cache()
        let date = start.advanced(bySeconds: -5)
        #expect(cache.accept(1, of: "k", dated: date, isRead: false, at: start) == .datedBeforeStart(5))
        #expect(cache.accept(1, of: "k", dated: date, isRead: true, at: start) == .accepted)
    }
}
