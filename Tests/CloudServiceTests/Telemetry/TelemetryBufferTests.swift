import Records
import Testing

@testable import CloudService

@Suite("Counts in memory")
struct TelemetryBufferTests {
    private func request(
        _ operation: String = "records/query", in container: String? = "iCloud.a", person: String? = nil
    ) -> AnsweredRequest {
        var request = AnsweredRequest(operation: operation)
        request.container = container
        request.environment = .development
        request.database = .public
        request.person = person
        return request
    }

    private func key(_ operation: String, in container: String = "iCloud.a") -> TelemetryKey {
        TelemetryKey(
            container: container, environment: .development, database: .public, operation: operation)
    }

    @Test("Requests are counted by minute, and drained once")
    func draining() {
        var buffer = TelemetryBuffer(keyLimit: 10)
        #expect(buffer.isEmpty)
        for minute in [7, 7, 8] as [Int64] { buffer.add(request(), in: minute) { _ in true } }
        let minutes = buffer.drain()
        #expect(minutes.map(\.number) == [7, 8])
        #expect(minutes.map { $0.counts[key("records/query")]?.requests } == [2, 1])
        #expect(buffer.isEmpty)
        #expect(buffer.drain() == [])
        #expect(buffer.totals[key("records/query")]?.requests == 3)
    }

    @Test("Counts that could not be stored are drained again, and count once in the totals")
    func restoring() {
        var buffer = TelemetryBuffer(keyLimit: 10)
        for minute in [7, 8] as [Int64] { buffer.add(request(), in: minute) { _ in true } }
        buffer.restore(buffer.drain())
        #expect(!buffer.isEmpty)
        buffer.add(request(), in: 9) { _ in true }
        #expect(buffer.totals[key("records/query")]?.requests == 3)
        let minutes = buffer.drain()
        #expect(minutes.map(\.number) == [8, 9])
        #expect(minutes.map { $0.counts[key("records/query")]?.requests } == [2, 1])
        #expect(buffer.totals[key("records/query")]?.requests == 3)
    }

    @Test("Above the limit of keys, further ones are counted together")
    func keyLimit() {
        var buffer = TelemetryBuffer(keyLimit: 3)
        for number in 0..<5 { buffer.add(request("operation\(number)"), in: 1) { _ in true } }
        buffer.add(request("operation0"), in: 1) { _ in true }
        let counts = buffer.drain().first?.counts ?? [:]
        #expect(counts.count == 4)
        #expect(counts[key("operation0")]?.requests == 2)
        #expect(counts[.other]?.requests == 2)
        #expect(buffer.totals.count == 4)
    }

    @Test("Minutes that are added up keep their keys, in whatever order they are read")
    func keysOfSums() {
        for number in 0..<100 {
            var minute = TelemetryMinute(number: 1)
            let keys = (0..<3).map { key("operation\(number)-\($0)") }
            for key in [.other] + keys { minute.add(to: key, limit: 3) { $0.merge(TelemetryCounts()) } }
            var sum = TelemetryMinute(number: 2)
            sum.merge(minute, limit: 3)
            #expect(Set(sum.counts.keys) == Set([.other] + keys))
        }
    }

    @Test("All names of missing containers are counted under one key")
    func unknownContainers() {
        var buffer = TelemetryBuffer(keyLimit: 3)
        for number in 0..<1000 {
            buffer.add(request(in: "iCloud.made-up-\(number)", person: "p\(number)"), in: 1) { _ in false }
        }
        buffer.add(request(person: "ann"), in: 1) { $0 == "iCloud.a" }
        let minute = buffer.drain().first
        #expect(minute?.counts.count == 2)
        #expect(minute?.counts[key("records/query", in: TelemetryKey.otherName)]?.requests == 1000)
        #expect(minute?.people.mapValues(\.count).values.map { $0 } == [1])
    }

    @Test("Minutes that are not stored are added up, so that their memory stays bounded")
    func waiting() {
        var buffer = TelemetryBuffer(keyLimit: 10)
        for minute in 0..<1000 { buffer.add(request(), in: Int64(minute)) { _ in true } }
        let minutes = buffer.drain()
        #expect(minutes.count <= 62)
        let sum = minutes.compactMap { $0.counts[key("records/query")]?.requests }.reduce(0, +)
        #expect(sum == 1000)
    }

    @Test("A person counts once, and a deleted container is removed")
    func people() {
        var buffer = TelemetryBuffer(keyLimit: 10)
        for name in ["ann", "bob", "ann"] { buffer.add(request(person: name), in: 1) { _ in true } }
        buffer.add(request(in: "iCloud.b", person: "ann"), in: 1) { _ in true }
        buffer.remove("iCloud.b")
        let minute = buffer.drain().first
        #expect(
            minute?.people.mapValues(\.count) == [
                ContainerKey(container: "iCloud.a", environment: .development): 2
            ])
        #expect(buffer.totals.keys.map(\.container) == ["iCloud.a"])
    }

    @Test("A request counts its errors, its bytes and, unless it waits for pushes, its time")
    func counting() {
        var counts = TelemetryCounts()
        var save = request("records/modify")
        save.itemErrors = [.conflict: 2, .atomicFailure: 1]
        save.requestBytes = 100
        save.responseBytes = 50
        save.duration = .milliseconds(3)
        counts.add(save)
        var failed = request("records/modify")
        failed.error = .internalError
        failed.client = .app
        counts.add(failed)
        var poll = AnsweredRequest(operation: "push/poll", latencyClass: .poll)
        poll.duration = .seconds(30)
        counts.add(poll)
        #expect(counts.requests == 3)
        #expect(counts.clientErrors == 1)
        #expect(counts.serverErrors == 1)
        #expect(counts.errors == [.conflict: 2, .atomicFailure: 1, .internalError: 1])
        #expect(counts.latency.count == 2)
        #expect(counts.latency.sum == 3000)
        #expect(counts.requestBytes.sum == 100)
        #expect(counts.responseBytes.count == 1)
        #expect(counts.clients == [.app: 1, .other: 2])
    }
}
