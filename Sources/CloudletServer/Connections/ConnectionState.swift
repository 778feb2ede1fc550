import NIOCore
import Records

/// The state of one connection: its requests, its answers, and their transfer rates.
///
/// Times are passed as closures because they are needed rarely: not for a request that arrives in one piece.
struct ConnectionState: Sendable {
    struct Rules: Sendable {
        var transfer: TransferMeter.Rules
        /// How long a connection may stay open without a further request. It is longer than clients keep
        /// unused connections, so that usually the client closes them. The first request must begin within
        /// `transfer.initialTime`.
        var idle = TimeAmount.seconds(75)
        /// The maximal size of a request's head in bytes.
        var headBytes = Limits().requestHeadBytes
    }

    enum CheckResult: Hashable {
        case close
        case again(NIODeadline)
    }

    private let rules: Rules
    /// Number of requests that have begun and whose answers have not ended.
    private var open = 0
    /// Whether the last of these requests has not arrived completely.
    private var isArriving = false
    /// Whether bytes have arrived that may become the head of a request.
    private var isHeadArriving = false
    /// Whether a request has arrived on this connection.
    private var isUsed = false
    private var isInputOver = false
    /// Whether the current read has delivered a head, a piece of a body or the end of a request.
    private var deliveredPart = false
    /// Bytes of a body that arrived since `receiving` was last updated.
    private var arrived = 0
    private var receiving: TransferMeter?
    private var sending: TransferMeter?
    /// Bytes that the socket had taken when `sending` was last updated.
    private var taken = 0
    /// Bytes that had been written when the current answer began.
    private var answerStart = 0
    private var lastActive: NIODeadline
    /// When to close a connection whose answer came before the end of its request.
    private var drainEnd: NIODeadline?

    init(_ rules: Rules, at now: NIODeadline) {
        self.rules = rules
        lastActive = now
    }

    /// Whether arriving bytes are discarded, because the connection ends as soon as the client has read its
    /// answer.
    var isDraining: Bool { drainEnd != nil }

    /// Whether the head of a request has arrived whose answer has not ended.
    var isAnswering: Bool { open > 0 }

    /// Whether a request has begun to arrive and is not complete.
    var isUnfinished: Bool { isArriving || isHeadArriving }

    // MARK: Requests

    mutating func headArrived() {
        open += 1
        isUsed = true
        isArriving = true
        isHeadArriving = false
        deliveredPart = true
    }

    mutating func bodyArrived(_ bytes: Int) {
        arrived += bytes
        deliveredPart = true
    }

    mutating func requestArrived() {
        isArriving = false
        isHeadArriving = false
        deliveredPart = true
        receiving = nil
        arrived = 0
    }

    /// The client sends no more bytes. An incomplete request becomes an error for its reader.
    mutating func inputEnded() {
        isInputOver = true
        isHeadArriving = false
        receiving = nil
    }

    /// All available bytes have been processed. Returns when to call `look` if a request is incomplete.
    mutating func readCompleted(at now: @autoclosure () -> NIODeadline) -> NIODeadline? {
        if !deliveredPart, !isArriving { isHeadArriving = true }
        deliveredPart = false
        guard isUnfinished, !isInputOver else { return nil }
        let now = now()
        var meter = receiving ?? TransferMeter(rules.transfer, from: now)
        meter.moved(arrived, at: now)
        meter.pause(at: now)
        arrived = 0
        receiving = meter
        return meter.deadline
    }

    /// The server is ready for more bytes.
    mutating func reads(at now: @autoclosure () -> NIODeadline) {
        if receiving != nil { receiving?.resume(at: now()) }
    }

    // MARK: Answers

    /// An answer begins. Returns whether the connection must end with it, because its request has not arrived
    /// completely.
    ///
    /// - Parameter written: The number of bytes that were written to the connection before.
    mutating func answerBegins(written: Int) -> Bool {
        answerStart = written
        return open == 1 && isArriving
    }

    /// An answer has ended. Returns whether to discard the rest of its request.
    mutating func answerEnds(at now: NIODeadline) -> Bool {
        open = max(open - 1, 0)
        lastActive = now
        return open == 0 && isArriving
    }

    /// From now on the connection only waits for the client to read its answer. Returns when to close it.
    mutating func drain(at now: NIODeadline) -> NIODeadline {
        let end = now + rules.transfer.initialTime
        drainEnd = end
        receiving = nil
        return end
    }

    /// The client does not read as fast as the server writes. Returns when to call `look`.
    ///
    /// - Parameter taken: the written bytes that the socket has taken.
    mutating func blocked(taken: Int, at now: @autoclosure () -> NIODeadline) -> NIODeadline? {
        if sending != nil { return nil }
        let meter = TransferMeter(rules.transfer, from: now(), credit: taken - answerStart)
        self.taken = taken
        sending = meter
        return meter.deadline
    }

    // MARK: Checking the pace

    /// Decides whether to close the connection, or when to check it again.
    ///
    /// - Parameters:
    ///   - taken: the written bytes that the socket has taken.
    ///   - waiting: the written bytes that it has not taken.
    mutating func check(at now: NIODeadline, taken: Int, waiting: Int) -> CheckResult {
        if let drainEnd { return now >= drainEnd ? .close : .again(drainEnd) }
        var next = now + rules.idle
        if let receiving {
            if receiving.isOver(at: now) { return .close }
            next = min(next, receiving.nextCheck(at: now))
        }
        if waiting == 0, sending != nil {
            sending = nil
            lastActive = now
        }
        if open == 0, receiving == nil, sending == nil {
            let end = lastActive + (isUsed ? rules.idle : rules.transfer.initialTime)
            if now < end { return .again(min(next, end)) }
            if waiting == 0 { return .close }
            // The client has not read the end of an answer yet.
            _ = blocked(taken: taken, at: now)
        }
        sending?.moved(taken - self.taken, at: now)
        self.taken = taken
        guard let sending else { return .again(next) }
        return sending.isOver(at: now) ? .close : .again(min(next, sending.deadline))
    }
}
