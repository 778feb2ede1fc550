package import Records

/// Clock, randomness, timers and log of a server. They are passed in, so that a test can set the clock and
/// repeat the random numbers.
package struct ServerRuntime: Sendable {
    package var now: @Sendable () -> Timestamp
    /// Returns the given number of unpredictable bytes.
    package var randomBytes: @Sendable (Int) -> [UInt8]
    /// Waits the given number of seconds by the server's clock. Throws when the task is cancelled.
    package var pause: @Sendable (Int) async throws -> Void
    /// Waits the given number of seconds of real time, for the timers of connections. A test that advances
    /// the server's clock does not shorten these waits. Throws when the task is cancelled.
    package var idle: @Sendable (Int) async throws -> Void
    /// Monotonic time, for measuring durations.
    package var uptime: @Sendable () -> Duration
    /// Logs one line about an error that does not make a request fail.
    package var report: @Sendable (String) -> Void
    /// Logs one line about a refusal that the operator should know.
    package let warn: @Sendable (String) -> Void
    /// Limits the lines about refusals and failures.
    package let refusals: RefusalLog

    package init(
        now: @escaping @Sendable () -> Timestamp,
        randomBytes: @escaping @Sendable (Int) -> [UInt8],
        pause: @escaping @Sendable (Int) async throws -> Void,
        idle: @escaping @Sendable (Int) async throws -> Void,
        uptime: @escaping @Sendable () -> Duration,
        report: @escaping @Sendable (String) -> Void = { _ in },
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.now = now
        self.randomBytes = randomBytes
        self.pause = pause
        self.idle = idle
        self.uptime = uptime
        self.report = report
        self.warn = warn
        refusals = RefusalLog(uptime: uptime, summarize: warn)
    }

    /// Logs that a write found the disk full.
    package func warnOfFullDisk() {
        refusals.tell(.fullDisk) {
            warn("the disk of the data folder is full; saves are refused until it has room")
        }
    }

    /// Random bytes in lower-case hexadecimal.
    package func randomHex(bytes count: Int) -> String { randomBytes(count).hexadecimal }

    /// A random UUID in its usual form.
    package func randomUUID() -> String {
        var bytes = randomBytes(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        return String(unsafeUninitializedCapacity: 36) { text in
            var place = 0
            for (index, byte) in bytes.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    text[place] = UInt8(ascii: "-")
                    place += 1
                }
                text[place] = Self.digit(byte >> 4)
                text[place + 1] = Self.digit(byte & 15)
                place += 2
            }
            return place
        }
    }

    /// Upper-case hexadecimal digit, because Apple's UUIDs are in upper case.
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
