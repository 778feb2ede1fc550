import Directory
import RecordStore
import Records

/// The configuration, stores, clock and randomness that all services share. It has no state of its own.
struct ServiceContext: Sendable {
    let limits: Limits
    let runtime: ServerRuntime
    let directory: any Directory
    let provider: any DatabaseProvider
    let codec: any FieldCodec
    /// Whether the server is open: anybody may sign in by name and use any container, as in development.
    let isOpen: Bool

    /// The time, person and device to store with a change that the caller makes.
    func stamp(of caller: Caller) -> Stamp {
        Stamp(at: runtime.now(), by: caller.userRecordName ?? "_world", device: caller.device)
    }

    /// The error of one item of a request. An internal error and a full disk are logged here, because the
    /// request as a whole succeeds.
    func itemError(_ error: any Error) -> RecordError {
        let known = RecordError(unexpected: error)
        if known.code == .internalError {
            runtime.refusals.tell(.failure) {
                runtime.report("an item failed: \(known.reason): \(known.diagnosis ?? "")")
            }
        }
        if known == .fullDisk { runtime.warnOfFullDisk() }
        return known
    }

    /// Throws `accessDenied` unless the server is open (`isOpen`).
    func checkDevelopment(_ culprit: String) throws(RecordError) {
        if isOpen { return }
        throw RecordError(
            .accessDenied, "only a server that is open for development allows this", culprit: culprit,
            nextStep: "start the server with --open to develop against it; on this server, sign in with a "
                + "password"
        )
    }
}
