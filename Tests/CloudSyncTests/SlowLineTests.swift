import Cloudlet
import CloudletTesting
import Foundation
import LocalReplica
import Records
import Synchronization
import Testing

@testable import CloudSync
@testable import TestKit

@Suite("Uploads over a slow connection", .timeLimit(.minutes(30)))
struct SlowLineTests {
    /// Sends each file in the same number of seconds.
    private final class SlowLine: CloudTransport {
        private let base: any CloudTransport
        private let clock: WorldClock
        private let state: Mutex<(seconds: TimeInterval, uploads: Int)>

        init(_ device: Device, seconds: TimeInterval) throws {
            base = try #require(device.link.base)
            clock = device.clock
            state = Mutex((seconds: seconds, uploads: 0))
            device.link.base = self
        }

        var seconds: TimeInterval {
            get { state.withLock { $0.seconds } }
            set { state.withLock { $0.seconds = newValue } }
        }

        var uploads: Int { state.withLock { $0.uploads } }

        func send(_ request: CloudRequest) async throws -> CloudResponse {
            if case .file = request.body {
                let seconds = state.withLock { state in
                    state.uploads += 1
                    return state.seconds
                }
                clock.advance(bySeconds: seconds)
            }
            return try await base.send(request)
        }
    }

    /// A device whose clock is that of its server.
    private static func withDevice(
        _ change: (inout Limits) -> Void, _ body: (Device) async throws -> Void
    ) async throws {
        var limits = Limits()
        change(&limits)
        try await CloudletWorld.run(limits: limits) { world in
            try await body(
                try await SyncWorld.device(of: "slow", "phone", in: world, clock: world.clock))
        }
    }

    @Test("Files that each take most of an upload URL's lifetime are sent in batches that fit")
    func batches() async throws {
        try await Self.withDevice {
            ($0.uploadSeconds, $0.transferBytesPerSecond) = (10, 1)
        } _: { phone in
            let line = try SlowLine(phone, seconds: 6)
            for number in 1...6 { try await phone.saveBill("bill\(number)", photos: ["photo \(number)"]) }
            try await phone.sync.waitUntilIdle()
            #expect(try await phone.pending() == [])
            #expect(line.uploads == 6)
        }
    }

    @Test("More files than the limit on waiting uploads allows are sent in several batches")
    func waitingBytes() async throws {
        try await Self.withDevice {
            $0.waitingUploadBytes = 30
        } _: { phone in
            for number in 1...6 { try await phone.saveBill("bill\(number)", photos: ["a photo \(number)"]) }
            #expect(try await phone.sync.sync().activity == .idle)
            #expect(try await phone.pending() == [])
        }
    }

    @Test("A record whose files cannot be sent in time waits, and does not delay other edits")
    func tooSlow() async throws {
        try await Self.withDevice {
            ($0.uploadSeconds, $0.transferBytesPerSecond) = (10, 1)
        } _: { phone in
            let line = try SlowLine(phone, seconds: 20)
            try await phone.saveBill("big", photos: ["photo one", "photo two"])
            try await phone.write("text", to: "n")
            let status = try await phone.sync.sync()
            #expect(try await phone.pending() == ["create big"])
            #expect(status.activity == .waiting)
            #expect(status.why.hasPrefix("the files of big take longer to send than the server waits"))
            #expect(try #require(status.until) > phone.clock.now)
            line.seconds = 0
            try await phone.sync.waitUntilIdle()
            #expect(try await phone.pending() == [])
        }
    }
}
