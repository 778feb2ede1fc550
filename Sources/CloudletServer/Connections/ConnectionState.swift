import NIOCore

/// What is known of a connection: the requests that arrive and are answered, and how fast.
///
/// The times are asked for only when they matter, which is not so for a request that comes in one piece.
struct ConnectionState: Sendable {
    struct Rules: Sendable {
        var transfer: TransferMeter.Rules
        /// How long a connection may stay without a further request: longer than clients keep connections
        /// that they do not use. The first request begins within the patience of a transfer.
        var idle = TimeAmount.seconds(75)
    }

    enum Look: Hashable {
        case close
        case again(NIODeadline)
    }

    private let rules: Rules
    /// Requests that have begun and whose answers have not ended.
    private var open = 0
    /// Whether the last of them has not come whole.
    private var isArriving = false
    /// Whether bytes have come that may become the head of a request.
    private var isHeadArriving = false
    /// Whether there has been a request.
    private var isUsed = false
    private var isInputOver = false
    private var sawPart = false
    /// Bytes of a body since the last pause.
    private var arrived = 0
    private var receiving: TransferMeter?
    private var sending: TransferMeter?
    /// Bytes that were taken by the socket when `sending` was last told.
    private var taken = 0
    /// Bytes that were written when the present answer began.
    private var answerStart = 0
    private var lastActive: NIODeadline
    /// When a connection is closed on which an answer came before the end of its request.
    private var drainEnd: NIODeadline?

    init(_ rules: Rules, at now: NIODeadline) {
        self.rules = rules
        lastActive = now
    }

    /// Whether what arrives is thrown away: the connection ends as soon as the client has read its answer.
    var isDraining: Bool { drainEnd != nil }

    /// Whether a request has begun to arrive and is not there yet.
    var isUnfinished: Bool { isArriving || isHeadArriving }

    // MARK: Requests

    mutating func headArrived() {
        open += 1
        isUsed = true
        isArriving = true
        isHeadArriving = false
        sawPart = true
    }

    mutating func bodyArrived(_ bytes: Int) {
        arrived += bytes
        sawPart = true
    }

    mutating func requestArrived() {
        isArriving = false
        isHeadArriving = false
        sawPart = true
        receiving = nil
        arrived = 0
    }

    /// No more comes by itself. The rest of a request that breaks off here is an error to its reader.
    mutating func inputEnded() {
        isInputOver = true
        isHeadArriving = false
        receiving = nil
    }

    /// All bytes that were there have been looked at. Returns when to look again if a request is unfinished.
    mutating func readCompleted(at now: @autoclosure () -> NIODeadline) -> NIODeadline? {
        if !sawPart, !isArriving { isHeadArriving = true }
        sawPart = false
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

    /// An answer begins after that many bytes were written. Returns whether the connection must end with it,
    /// since its request has not come whole.
    mutating func answerBegins(written: Int) -> Bool {
        answerStart = written
        return open == 1 && isArriving
    }

    /// An answer has ended. Returns whether the rest of its request is to be thrown away.
    mutating func answerEnds(at now: NIODeadline) -> Bool {
        open = max(open - 1, 0)
        lastActive = now
        return open == 0 && isArriving
    }

    /// From now on the connection only waits for the client to read its answer. Returns when that is over.
    mutating func drain(at now: NIODeadline) -> NIODeadline {
        let end = now + rules.transfer.patience
        drainEnd = end
        receiving = nil
        return end
    }

    /// The client does not read as fast as the server writes. Returns when to look again.
    ///
    /// - Parameter taken: bytes of those written that the socket has taken.
    mutating func blocked(taken: Int, at now: @autoclosure () -> NIODeadline) -> NIODeadline? {
        if sending != nil { return nil }
        let meter = TransferMeter(rules.transfer, from: now(), credit: taken - answerStart)
        self.taken = taken
        sending = meter
        return meter.deadline
    }

    // MARK: Looking

    /// - Parameters:
    ///   - taken: bytes of those written that the socket has taken.
    ///   - waiting: bytes that it has not.
    mutating func look(at now: NIODeadline, taken: Int, waiting: Int) -> Look {
        if let drainEnd { return now >= drainEnd ? .close : .again(drainEnd) }
        var next = now + rules.idle
        if let receiving {
            if receiving.isOver(at: now) { return .close }
            next = min(next, receiving.nextLook(at: now))
        }
        if waiting == 0, sending != nil {
            sending = nil
            lastActive = now
        }
        if open == 0, receiving == nil, sending == nil {
            let end = lastActive + (isUsed ? rules.idle : rules.transfer.patience)
            if now < end { return .again(min(next, end)) }
            if waiting == 0 { return .close }
            // The end of an answer still waits for its reader.
            _ = blocked(taken: taken, at: now)
        }
        sending?.moved(taken - self.taken, at: now)
        self.taken = taken
        guard let sending else { return .again(next) }
        return sending.isOver(at: now) ? .close : .again(min(next, sending.deadline))
    }
}
