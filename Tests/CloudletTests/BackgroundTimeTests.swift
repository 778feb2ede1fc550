import CloudletTesting
import Foundation
import Testing

@testable import Cloudlet
@testable import TestKit

@Suite("The time limit of a push handler")
struct BackgroundTimeTests {
    private struct Broken: Error {}

    private let clock = WorldClock(Date(timeIntervalSince1970: 1000))

    private func run(
        _ handler: @escaping @Sendable (CloudBackgroundTime) async throws -> CloudFetchResult
    ) async -> CloudFetchResult {
        let clock = clock
        return await CloudBackgroundTime.run(
            within: .seconds(30), pause: { try await clock.waitUntilAdvanced(by: $0) }, handler)
    }

    @Test("The result is that of the handler, or failed if the handler throws")
    func results() async {
        for result in [CloudFetchResult.newData, .noData, .failed] {
            let reported = await run { _ in result }
            #expect(reported == result)
        }
        let broken = await run { _ in throw Broken() }
        #expect(broken == .failed)
        #expect(clock.waiting == 0)
    }

    @Test("A handler that exceeds its time is cancelled, and the result is failed")
    func tooLong() async throws {
        let clock = clock
        async let result = run { _ in
            try await clock.waitUntilAdvanced(by: .seconds(3600))
            return .newData
        }
        try await until { clock.waiting == 2 }
        clock.advance(bySeconds: 30)
        let reported = await result
        #expect(reported == .failed)
        #expect(clock.waiting == 0)
    }

    @Test("A handler can extend its time")
    func extended() async throws {
        let clock = clock
        async let result = run { time in
            time.extend(by: .seconds(60))
            try await clock.waitUntilAdvanced(by: .seconds(80))
            return .newData
        }
        try await until { clock.waiting == 2 }
        clock.advance(bySeconds: 80)
        let reported = await result
        #expect(reported == .newData)
    }
}
