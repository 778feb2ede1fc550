import Records
import Testing

@testable import CloudService

@Suite("The sessions of operators")
struct OperatorSessionsTests {
    private func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }

    private let limits: Limits = {
        var limits = Limits()
        limits.operatorSessionSeconds = 4000
        limits.operatorSessions = 2
        limits.operatorLinkSeconds = 300
        return limits
    }()

    @Test("A link is valid once, and for five minutes")
    func links() {
        var sessions = OperatorSessions()
        sessions.add(link: [1], at: time(0), limits)
        #expect(sessions.isValid(link: [1], at: time(299)))
        #expect(!sessions.isValid(link: [1], at: time(300)))
        let used = sessions.use(link: [1], at: time(10))
        #expect(used)
        let again = sessions.use(link: [1], at: time(10))
        #expect(!again)
        sessions.add(link: [2], at: time(0), limits)
        let late = sessions.use(link: [2], at: time(300))
        #expect(!late)
    }

    @Test("One link more than the limit invalidates the oldest one")
    func surplusLinks() {
        var sessions = OperatorSessions()
        for (number, second) in [(UInt8(1), Int64(0)), (2, 1), (3, 2)] {
            sessions.add(link: [number], at: time(second), limits)
        }
        #expect(!sessions.isValid(link: [1], at: time(3)))
        #expect(sessions.isValid(link: [2], at: time(3)))
        #expect(sessions.isValid(link: [3], at: time(3)))
    }

    @Test("A session ends after half an hour without a request, and after its longest time despite requests")
    func ends() {
        var sessions = OperatorSessions()
        sessions.begin([1], of: .keyHolder, at: time(0), limits)
        let first = sessions.use([1], at: time(1799), limits)
        #expect(first?.holder == .keyHolder)
        let second = sessions.use([1], at: time(3598), limits)
        #expect(second != nil)
        let late = sessions.use([1], at: time(4000), limits)
        #expect(late == nil)
        sessions.begin([2], of: .keyHolder, at: time(0), limits)
        let idle = sessions.use([2], at: time(1800), limits)
        #expect(idle == nil)
        #expect(sessions.count == 0)
    }

    @Test("One session more than the limit ends the operator's least recently used one")
    func surplus() {
        var sessions = OperatorSessions()
        sessions.begin([9], of: .account("bert"), at: time(0), limits)
        sessions.begin([1], of: .account("ann"), at: time(1), limits)
        sessions.begin([2], of: .account("ann"), at: time(2), limits)
        _ = sessions.use([1], at: time(3), limits)
        sessions.begin([3], of: .account("ann"), at: time(4), limits)
        let left = [9, 1, 2, 3].filter { sessions.use([UInt8($0)], at: time(5), limits) != nil }
        #expect(left == [9, 1, 3])
    }

    @Test("A message is shown once, and looking up the signed-in person does not use it up")
    func notice() {
        var sessions = OperatorSessions()
        sessions.begin([1], of: .developer, at: time(0), limits)
        sessions.setNotice("done", of: [1])
        let place = ContainerKey(container: "iCloud.test", environment: .development)
        sessions.setPerson("token", at: place, of: [1])
        #expect(sessions.person(at: place, of: [1], at: time(1), limits) == "token")
        #expect(sessions.person(at: place, of: [1], at: time(1800), limits) == nil)
        let first = sessions.use([1], at: time(1), limits)
        #expect(first?.notice == "done")
        let second = sessions.use([1], at: time(2), limits)
        #expect(second?.notice == nil)
    }
}
