package import Records

/// The clock and the source of randomness, passed in, so that a test can turn the one and replay the other.
package struct Seams: Sendable {
    package var now: @Sendable () -> Timestamp
    /// That many unguessable bytes.
    package var randomBytes: @Sendable (Int) -> [UInt8]
    /// Lets that many seconds pass; throws when the call is cancelled meanwhile.
    package var pause: @Sendable (Int) async throws -> Void
    /// Lets that many seconds pass in which a connection is held open while nothing comes; throws when the
    /// call is cancelled meanwhile. Networks live in real time, so this one is no part of the world's clock.
    package var idle: @Sendable (Int) async throws -> Void
    /// How long something has gone on by now, for measuring: it never goes back, nor stands still.
    package var uptime: @Sendable () -> Duration
    /// Tells the operator of what went wrong and fails no request, in one line.
    package var report: @Sendable (String) -> Void

    package init(
        now: @escaping @Sendable () -> Timestamp,
        randomBytes: @escaping @Sendable (Int) -> [UInt8],
        pause: @escaping @Sendable (Int) async throws -> Void,
        idle: @escaping @Sendable (Int) async throws -> Void,
        uptime: @escaping @Sendable () -> Duration,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.now = now
        self.randomBytes = randomBytes
        self.pause = pause
        self.idle = idle
        self.uptime = uptime
        self.report = report
    }

    /// Random bytes as lower-case hexadecimal digits, two for each byte.
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

    /// UUIDs are spelled in capitals, as Apple's are.
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
