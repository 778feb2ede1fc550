// Owns the proof that one address cannot have all connections, without a socket.

import CloudService
import Testing

@testable import CloudletServer

@Suite("Connections of one address")
struct ConnectionBookTests {
    private let alice = NetworkOrigin(text: "192.0.2.1") ?? NetworkOrigin(nil)
    private let bob = NetworkOrigin(text: "192.0.2.2") ?? NetworkOrigin(nil)

    @Test("An address has as many as it may, one more is refused, and others are not concerned")
    func most() {
        var book = ConnectionBook(most: 3)
        let verdicts = (0..<5).map { _ in book.open(alice) }
        #expect(verdicts == [.fits, .fits, .fits, .refusedAsNews, .refused])
        #expect(book.open(bob) == .fits)
        book.close(alice, isUnfinished: false)
        #expect(book.open(alice) == .fits)
        #expect(book.open(alice) == .refusedAsNews)
    }

    @Test("Half of them may wait for the rest of a request")
    func unfinished() {
        var book = ConnectionBook(most: 4)
        for _ in 0..<4 { _ = book.open(alice) }
        #expect((0..<3).map { _ in book.begin(alice) } == [.fits, .fits, .refusedAsNews])
        book.end(alice)
        #expect(book.begin(alice) == .fits)
        book.close(alice, isUnfinished: true)
        #expect(book.begin(alice) == .fits)
    }

    @Test("Addresses without connections are forgotten, and there is always room for one")
    func forgotten() {
        var book = ConnectionBook(most: 0)
        #expect(book.open(alice) == .fits)
        #expect(book.begin(alice) == .fits)
        #expect(book.origins == 1)
        book.close(alice, isUnfinished: true)
        #expect(book.origins == 0)
    }
}
