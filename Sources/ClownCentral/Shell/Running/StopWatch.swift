// Owns how long a command took: by the clock on the wall, at the server, and by the clock of the scene.
import Foundation

/// A moment on all clocks that a command can be measured by.
struct StopWatch: Equatable, Sendable {
    var wall: Date
    var serverMicroseconds: Int
    var requests: Int
    /// The clock that commands go by, which waiting moves on at once where it stands still.
    var clock: Date

    init(wall: Date, serverMicroseconds: Int, requests: Int, clock: Date) {
        self.wall = wall
        self.serverMicroseconds = serverMicroseconds
        self.requests = requests
        self.clock = clock
    }

    /// The present moment.
    init(_ interpreter: Interpreter) {
        self.init(
            wall: interpreter.tools.wallClock(), serverMicroseconds: interpreter.requests.serverMicroseconds,
            requests: interpreter.requests.count, clock: interpreter.clock.now)
    }

    /// What lies between this moment and another: `took 12 ms (server 4 ms) and 3 requests`.
    func text(until end: StopWatch) -> String {
        let seconds = end.wall.timeIntervalSince(wall)
        let served = Self.milliseconds(Double(end.serverMicroseconds - serverMicroseconds) / 1e6)
        let sent = Answer.counted(end.requests - requests, "request")
        let passed = end.clock.timeIntervalSince(clock)
        let jump = passed - seconds >= 1 ? "; the clock went on by \(Int(passed.rounded())) s" : ""
        return "took \(Self.milliseconds(seconds)) (server \(served)) and \(sent)\(jump)"
    }

    private static func milliseconds(_ seconds: TimeInterval) -> String {
        "\(Int((seconds * 1000).rounded())) ms"
    }
}
