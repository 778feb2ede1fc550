import Records
import Testing

@testable import CloudService

@Suite("Outbox of a device")
struct DeviceOutboxTests {
    private static func at(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }

    /// A push of a query subscription, visible by default.
    private static func push(
        _ name: String, of subscription: String = "s", silent: Bool = false, collapse: String? = nil,
        at seconds: Int64 = 0, delay: Int = 0
    ) -> QueuedPush {
        var presentation = PushPresentation()
        if !silent { presentation.alert = .init("look") }
        presentation.collapseID = collapse
        let notification = PushNotification(
            id: name, subscriptionID: subscription,
            cause: .query(RecordID(name: name), .create, fields: [:]), presentation: presentation,
            origin: Stamp(at: at(0), by: "_alice")
        )
        let message = PushMessage(
            container: "c", environment: .development, user: "_bob", database: .public,
            notification: notification)
        return QueuedPush(PushBody(message), since: at(seconds)).delayed(by: delay)
    }

    private static func names(_ pushes: [QueuedPush]) -> [String] { pushes.map(\.message.notification.id) }

    private static func losses(_ lost: [DeviceOutbox.DroppedPush]) -> [String] {
        lost.map { "\($0.push.message.notification.id) \($0.loss)" }
    }

    private var limits = Limits()

    @Test("An absent device keeps only the latest push")
    func away() {
        var outbox = DeviceOutbox()
        var lost: [DeviceOutbox.DroppedPush] = []
        for name in ["a", "b", "c"] {
            lost += outbox.receive(Self.push(name), at: Self.at(1), limits: limits)
        }
        #expect(Self.losses(lost) == ["a replaced", "b replaced"])
        _ = outbox.connect(1, at: Self.at(2), limits: limits)
        #expect(Self.names(outbox.take(9, at: Self.at(2), limits: limits).pushes) == ["c"])
        #expect(outbox.queue.isEmpty)
    }

    @Test("A connected device gets every visible push, in order")
    func present() {
        var outbox = DeviceOutbox()
        _ = outbox.connect(1, at: Self.at(0), limits: limits)
        for name in ["a", "b", "c"] {
            #expect(outbox.receive(Self.push(name), at: Self.at(1), limits: limits) == [])
        }
        #expect(Self.names(outbox.take(2, at: Self.at(1), limits: limits).pushes) == ["a", "b"])
        #expect(Self.names(outbox.take(2, at: Self.at(1), limits: limits).pushes) == ["c"])
    }

    @Test("Pushes queue between two polls until the grace period ends")
    func grace() {
        var outbox = DeviceOutbox()
        _ = outbox.connect(1, at: Self.at(0), limits: limits)
        _ = outbox.disconnect(1, at: Self.at(10), grace: 60, limits: limits)
        for name in ["a", "b"] {
            #expect(outbox.receive(Self.push(name), at: Self.at(69), limits: limits) == [])
        }
        #expect(outbox.isPresent(at: Self.at(69)))
        #expect(!outbox.isPresent(at: Self.at(70)))
        let lost = outbox.connect(2, at: Self.at(70), limits: limits)
        #expect(Self.losses(lost) == ["a replaced"])
        #expect(Self.names(outbox.take(9, at: Self.at(70), limits: limits).pushes) == ["b"])
    }

    @Test("When a stream ends, the device counts as absent at once")
    func streamEnds() {
        var outbox = DeviceOutbox()
        _ = outbox.connect(1, at: Self.at(0), limits: limits)
        for name in ["a", "b"] { _ = outbox.receive(Self.push(name), at: Self.at(1), limits: limits) }
        #expect(outbox.disconnect(7, at: Self.at(1), grace: 0, limits: limits) == [])
        let lost = outbox.disconnect(1, at: Self.at(1), grace: 0, limits: limits)
        #expect(Self.losses(lost) == ["a replaced"])
    }

    @Test("Silent pushes of one subscription coalesce, and so do pushes with the same collapse key")
    func coalescing() {
        var outbox = DeviceOutbox()
        _ = outbox.connect(1, at: Self.at(0), limits: limits)
        var lost: [DeviceOutbox.DroppedPush] = []
        for push in [
            Self.push("a", silent: true), Self.push("b", of: "t", silent: true), Self.push("c"),
            Self.push("d", silent: true), Self.push("e", of: "t"), Self.push("f", collapse: "x"),
            Self.push("g", of: "t", collapse: "x"),
        ] {
            lost += outbox.receive(push, at: Self.at(1), limits: limits)
        }
        #expect(Self.losses(lost) == ["a coalesced", "f coalesced"])
        #expect(Self.names(outbox.queue) == ["b", "c", "d", "e", "g"])
    }

    @Test("The queue is limited, and drops its oldest pushes")
    func bounded() {
        var limits = limits
        limits.pushQueue = 2
        var outbox = DeviceOutbox()
        _ = outbox.connect(1, at: Self.at(0), limits: limits)
        var lost: [DeviceOutbox.DroppedPush] = []
        for name in ["a", "b", "c"] {
            lost += outbox.receive(Self.push(name), at: Self.at(1), limits: limits)
        }
        #expect(Self.losses(lost) == ["a overflowed"])
        #expect(Self.names(outbox.queue) == ["b", "c"])
    }

    @Test("A push expires one lifetime after it was queued")
    func expiry() {
        var outbox = DeviceOutbox()
        _ = outbox.receive(Self.push("a", at: 0), at: Self.at(0), limits: limits)
        let end = Int64(limits.pushSeconds)
        #expect(outbox.connect(1, at: Self.at(end), limits: limits) == [])
        let (pushes, lost) = outbox.take(9, at: Self.at(end + 1), limits: limits)
        #expect(pushes == [])
        #expect(Self.losses(lost) == ["a expired"])
    }

    @Test("A delayed push is due at its time, and does not delay others")
    func delayed() {
        var outbox = DeviceOutbox()
        _ = outbox.connect(1, at: Self.at(0), limits: limits)
        _ = outbox.receive(Self.push("a", at: 0, delay: 5), at: Self.at(0), limits: limits)
        #expect(outbox.nextDue(after: Self.at(1)) == Self.at(5))
        #expect(outbox.take(9, at: Self.at(4), limits: limits).pushes == [])
        _ = outbox.receive(Self.push("b", at: 4), at: Self.at(4), limits: limits)
        #expect(outbox.nextDue(after: Self.at(4)) == nil)
        #expect(Self.names(outbox.take(9, at: Self.at(4), limits: limits).pushes) == ["b"])
        #expect(Self.names(outbox.take(9, at: Self.at(5), limits: limits).pushes) == ["a"])
    }

    @Test("A push can be overtaken by the next one; undelivered pushes return to the front")
    func order() {
        var outbox = DeviceOutbox()
        _ = outbox.connect(1, at: Self.at(0), limits: limits)
        _ = outbox.receive(Self.push("a"), at: Self.at(0), isOvertaken: true, limits: limits)
        #expect(outbox.queue.isEmpty)
        _ = outbox.receive(Self.push("b"), at: Self.at(0), limits: limits)
        let taken = outbox.take(1, at: Self.at(0), limits: limits).pushes
        #expect(Self.names(taken) == ["b"])
        _ = outbox.takeBack(taken, at: Self.at(0), limits: limits)
        #expect(Self.names(outbox.queue) == ["b", "a"])
    }

    @Test("The trace keeps the last entries, in order")
    func trace() {
        var trace = PushTrace(limit: 3)
        for name in ["a", "b", "c", "d", "e"] {
            trace.add(.sent, Self.push(name).body, to: "phone", at: Self.at(0))
        }
        #expect(trace.entries(from: 0).map(\.notification) == ["c", "d", "e"])
        #expect(trace.entries(from: 4).map(\.number) == [4])
    }

    @Test("The trace counts pushes by their outcome, until the counts are taken")
    func counts() {
        var trace = PushTrace(limit: 1)
        let outcomes: [PushTraceEntry.Outcome] = [
            .matched, .queued, .sent, .sent, .sent, .coalesced, .replaced, .dropped, .expired,
        ]
        for outcome in outcomes { trace.add(outcome, Self.push("a").body, to: "phone", at: Self.at(0)) }
        let counted = trace.takeCounts()
        #expect(counted.keys.map { $0.operation } == [TelemetryKey.pushOperation])
        let counts = counted.values.first
        #expect(counts?.pushesSent == 3)
        #expect(counts?.pushesCoalesced == 2)
        #expect(counts?.pushesDropped == 2)
        let rest = trace.takeCounts()
        #expect(rest == [:])
    }
}
