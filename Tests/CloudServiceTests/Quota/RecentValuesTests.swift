import Records
import Testing

@testable import CloudService

@Suite("Values that are computed at most once a minute")
struct RecentValuesTests {
    private struct Failure: Error {}

    private static func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }

    @Test("A value is valid for a minute, unless it is removed")
    func age() async throws {
        let values = RecentValues<String, Int>()
        for (second, counted, expected) in [(0, 1, 1), (59, 2, 1), (60, 3, 3), (61, 4, 3)] {
            let found = try await values.value(of: "a", at: Self.time(Int64(second))) { counted }
            #expect(found == expected, "\(second)")
        }
        let other = try await values.value(of: "b", at: Self.time(61)) { 7 }
        #expect(other == 7)
        values.forget { $0 == "a" }
        let again = try await values.value(of: "a", at: Self.time(62)) { 5 }
        let kept = try await values.value(of: "b", at: Self.time(62)) { 5 }
        #expect(again == 5 && kept == 7)
    }

    @Test("While one request computes a value, others get the last one, or none before the first")
    func oneAtATime() async throws {
        let values = RecentValues<String, Int64>()
        for (second, known) in [(0, nil), (60, 1)] as [(Int64, Int64?)] {
            let counted = try await values.value(of: "a", at: Self.time(second)) {
                let other = try await values.value(of: "a", at: Self.time(second)) {
                    Issue.record("two requests count at once")
                    return 0
                }
                #expect(other == known)
                return second + 1
            }
            #expect(counted == second + 1)
        }
    }

    @Test("After a failed computation, the next request computes the value")
    func failure() async throws {
        let values = RecentValues<String, Int>()
        await #expect(throws: Failure.self) {
            _ = try await values.value(of: "a", at: Self.time(0)) { throw Failure() }
        }
        let found = try await values.value(of: "a", at: Self.time(0)) { 7 }
        #expect(found == 7)
    }
}
