import Records
import Testing

@Suite("Notices about a service that fails")
struct OutageNoticeTests {
    @Test("The first failure and the first answer after it are told, and nothing else")
    func once() {
        var notice = OutageNotice(of: "the store")
        let failures = [nil, "one", "two", nil, nil, "three"]
        let told = failures.map { notice.note(failure: $0) }
        #expect(told == [nil, "one", nil, "the store answers again", nil, "three"])
    }
}
