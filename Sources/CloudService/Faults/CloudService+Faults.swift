package import Records

/// How the way of a call ends when a fault breaks its connection.
package struct BrokenConnection: Error, Hashable, Sendable {
    /// Whether the request was carried out.
    package var isDone: Bool
}

extension CloudService {
    /// Throws unless faults may be set from outside: in open servers that keep nothing, or that nobody else
    /// reaches. Where people keep their data, nobody should be able to spoil it.
    package func checkTakesFaults() throws(RecordError) {
        try checkDevelopment("dev/faults")
        if takesFaults { return }
        throw RecordError(
            .accessDenied, "this server keeps its data and listens for others, so it takes no faults",
            culprit: "dev/faults",
            nextStep: "cloudlet serve --ephemeral takes them, and so does a server embedded in the shell"
        )
    }

    /// Lets happen what befalls a call at the door: delay, a broken connection, a refusal.
    ///
    /// Throws `BrokenConnection`, or the `RecordError` of the fault.
    package func meetFaults(_ call: FaultCall) async throws {
        for fault in faults.strikes(Self.faultsBefore, on: call) {
            switch fault.kind {
            case .slow: try await runtime.pause(fault.seconds)
            case .networkFailureBefore: throw BrokenConnection(isDone: false)
            default:
                if let error = fault.kind.error(afterSeconds: fault.seconds) { throw error }
            }
        }
    }

    /// Lets the answer to a call that was carried out be lost, if that befalls it.
    package func loseAnswer(of call: FaultCall) throws(BrokenConnection) {
        if !faults.strikes(Self.faultsAfter, on: call).isEmpty { throw BrokenConnection(isDone: true) }
    }

    private static let faultsBefore: Set<FaultKind> = [
        .slow, .networkFailureBefore, .unavailable, .rateLimited, .zoneBusy, .signedOut, .limitExceeded,
        .zoneNotFound, .zonePurged,
    ]
    private static let faultsAfter: Set<FaultKind> = [.responseLost]
}
