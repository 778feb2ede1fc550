import Foundation

/// A reading of all clocks, for measuring a command.
struct ClockReading: Equatable, Sendable {
    var wall: Date
    var meter: ProgramMeter?

    init(wall: Date, meter: ProgramMeter?) {
        self.wall = wall
        self.meter = meter
    }

    /// Reads the clocks.
    init(_ runner: StatementRunner) {
        self.init(wall: runner.environment.wallClock(), meter: runner.program.meter)
    }

    /// The difference to a later reading: `took 12 ms (server 4 ms) and 3 requests`.
    func text(until end: ClockReading) -> String {
        let seconds = end.wall.timeIntervalSince(wall)
        let took = "took \(Self.milliseconds(seconds))"
        guard let meter, let last = end.meter else { return took }
        let served = Self.milliseconds(Double(last.serverMicroseconds - meter.serverMicroseconds) / 1e6)
        let sent = Answer.counted(last.requests - meter.requests, "request")
        let passed = last.clock.timeIntervalSince(meter.clock)
        let jump = passed - seconds >= 1 ? "; the clock advanced by \(Int(passed.rounded())) s" : ""
        return "\(took) (server \(served)) and \(sent)\(jump)"
    }

    private static func milliseconds(_ seconds: TimeInterval) -> String {
        "\(Int((seconds * 1000).rounded())) ms"
    }
}
