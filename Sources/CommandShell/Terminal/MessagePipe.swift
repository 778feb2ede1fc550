import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// A queue of lines with a descriptor that is readable while the queue has lines.
final class MessagePipe: Sendable {
    /// A descriptor that is readable while the queue has lines.
    let readEnd: Int32
    private let writeEnd: Int32
    private let lines = Mutex<[String]>([])

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func add(_ line: String) {
        lines.withLock { $0.append(line) }
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    /// Removes and returns all lines.
    func take() -> [String] {
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        while read(readEnd, &bytes, bytes.count) > 0 {}
        return lines.withLock { lines in
            defer { lines.removeAll() }
            return lines
        }
    }
}
