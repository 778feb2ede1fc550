import Foundation
import Records
import Synchronization
import Testing

@testable import CloudService
@testable import CloudletServer
@testable import ServerKit
@testable import TestKit

@Suite("The file with a server's address", .timeLimit(.minutes(30)))
struct AddressWriterTests {
    private struct FullDisk: Error {}

    private func runtime(_ recorder: LogRecorder) -> ServerRuntime {
        ServerRuntime(
            now: { Timestamp(milliseconds: 0) }, randomBytes: { [UInt8](repeating: 0, count: $0) },
            pause: { _ in }, idle: { _ in try Task.checkCancellation() }, uptime: { .zero },
            report: { line in recorder.lines.withLock { $0.append("error: \(line)") } },
            warn: { line in recorder.lines.withLock { $0.append("warning: \(line)") } })
    }

    @Test("A file that cannot be written is logged, and written when the disk has room")
    func retries() async throws {
        let recorder = LogRecorder()
        let attempts = Mutex(0)
        let task = AddressWriter.write("data/server.json", runtime: runtime(recorder)) {
            let count = attempts.withLock { count in
                count += 1
                return count
            }
            if count < 3 { throw FullDisk() }
        }
        await task?.value
        #expect(task != nil)
        #expect(attempts.withLock(\.self) == 3)
        let lines = recorder.lines.withLock(\.self)
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("error: the server's address cannot be written to data/") == true)
        #expect(lines.last == "warning: the server's address is in data/server.json now")
    }

    @Test("A file that is written at once needs no task, and a cancelled task ends")
    func ends() async throws {
        let recorder = LogRecorder()
        let none = AddressWriter.write("f", runtime: runtime(recorder)) {}
        #expect(none == nil)
        #expect(recorder.lines.withLock(\.self) == [])
        let task = AddressWriter.write("f", runtime: runtime(recorder)) { throw FullDisk() }
        task?.cancel()
        await task?.value
        #expect(recorder.lines.withLock(\.self).count == 1)
    }
}
