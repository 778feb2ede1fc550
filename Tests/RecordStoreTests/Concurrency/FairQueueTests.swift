import RecordStore
import Testing

@Suite("The queue of places")
struct FairQueueTests {
    private static func queue(places: Int = 4, share: Int = 2, waiting: Int = 3) -> FairQueue<String, Int> {
        FairQueue(places: places, share: share, waitingPerPayer: waiting)
    }

    @Test("One payer gets a part of the threads, and others begin at once")
    func share() {
        var queue = Self.queue()
        #expect(queue.enter("mallory", 1) == .begin)
        #expect(queue.enter("mallory", 2) == .begin)
        #expect(queue.enter("mallory", 3) == .wait)
        #expect(queue.enter("bob", 4) == .begin)
        #expect(queue.enter("carol", 5) == .begin)
        #expect(queue.enter("dave", 6) == .wait)
    }

    @Test("One request more than a payer's waiting limit is refused")
    func refusal() {
        var queue = Self.queue(places: 1, share: 1, waiting: 2)
        let admissions = (1...4).map { queue.enter("mallory", $0) }
        #expect(admissions == [.begin, .wait, .wait, .refuse])
        #expect(queue.enter("bob", 5) == .wait)
    }

    @Test("Waiting payers take turns, and the requests of one payer stay in order")
    func turns() {
        var queue = Self.queue(places: 1, share: 1, waiting: 9)
        _ = queue.enter("mallory", 1)
        for ticket in 2...4 { _ = queue.enter("mallory", ticket) }
        _ = queue.enter("bob", 5)
        _ = queue.enter("bob", 6)
        var order: [Int] = []
        var payer = "mallory"
        while let ticket = queue.leave(payer) {
            order.append(ticket)
            payer = ticket >= 5 ? "bob" : "mallory"
        }
        #expect(order == [2, 5, 3, 6, 4])
    }

    @Test("The payer with the least time comes first, and time is forgotten")
    func time() {
        var queue = Self.queue(places: 1, share: 1, waiting: 9)
        _ = queue.enter("mallory", 1)
        for ticket in 2...5 { _ = queue.enter("mallory", ticket) }
        _ = queue.enter("oscar", 6)
        // Mallory's turn would be next, but Mallory has used a second.
        #expect(queue.leave("mallory", after: 1, at: 1) == 6)
        _ = queue.enter("oscar", 7)
        #expect(queue.leave("oscar", after: 2, at: 3) == 2)
        // Bob comes last and has used nothing.
        _ = queue.enter("bob", 8)
        #expect(queue.leave("mallory", after: 4, at: 7) == 8)
        #expect(queue.leave("bob", after: 0.5, at: 7.5) == 7)
        _ = queue.enter("bob", 9)
        // After ten minutes nobody's time counts, and the payers take turns.
        #expect(queue.leave("oscar", after: 0, at: 600) == 3)
    }

    @Test("A thread stays free while the only waiting payer already has its part")
    func freePlace() {
        var queue = Self.queue(places: 2, share: 1, waiting: 9)
        _ = queue.enter("mallory", 1)
        _ = queue.enter("mallory", 2)
        #expect(queue.enter("bob", 3) == .begin)
        #expect(queue.leave("bob") == nil)
        #expect(queue.leave("mallory") == 2)
    }

    @Test("A withdrawn request gets no thread")
    func withdrawal() {
        var queue = Self.queue(places: 1, share: 1, waiting: 9)
        _ = queue.enter("mallory", 1)
        _ = queue.enter("bob", 2)
        _ = queue.enter("bob", 3)
        let withdrawn = [("bob", 2), ("bob", 2), ("mallory", 1)].map { queue.withdraw($0, $1) }
        #expect(withdrawn == [true, false, false])
        #expect(queue.leave("mallory") == 3)
        #expect(queue.leave("bob") == nil)
        #expect(queue.enter("carol", 4) == .begin)
    }
}
