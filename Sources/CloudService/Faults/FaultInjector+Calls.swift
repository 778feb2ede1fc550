import RecordStore
package import Records

// MARK: - Faults of whole calls

extension FaultInjector {
    /// The faults that apply to a call before it is executed, in the order in which they were added.
    package func faultsBefore(_ call: FaultCall) -> [Fault] {
        let isUpload = call.endpoint == FaultCall.upload || call.endpoint == "assets/upload"
        return applyFaults(isUpload ? Self.kindsBefore.union([.quotaFull]) : Self.kindsBefore, to: call)
    }

    /// Whether the answer to an executed call is to be dropped.
    package func losesAnswer(to call: FaultCall) -> Bool { !applyFaults([.responseLost], to: call).isEmpty }

    private static let kindsBefore: Set<FaultKind> = [
        .slow, .networkFailureBefore, .unavailable, .rateLimited, .zoneBusy, .signedOut, .limitExceeded,
        .zoneNotFound, .zonePurged,
    ]
}

// MARK: - Faults of single steps

extension FaultInjector {
    /// Throws `changeTokenExpired` if a fault of that kind applies to the current call.
    func expireToken() throws(RecordError) {
        guard let call = Self.call, let fault = applyFaults([.tokenExpired], to: call).first,
            let error = fault.kind.error(afterSeconds: fault.seconds)
        else { return }
        throw error
    }

    /// Makes a batch refuse saves: all of them if a fault simulates a full quota, only the first if a fault
    /// concerns single records.
    func injectFaults(into batch: inout WriteBatch, codec: any FieldCodec) {
        guard let call = Self.call else { return }
        let full = applyFaults([.quotaFull], to: call).first?.kind.error(afterSeconds: 0)
        let first = batch.operations.first { !$0.kind.isDelete }?.recordName
        let fault =
            first == nil
            ? nil : applyFaults(FaultKind.ofRecords, to: call).first?.kind.error(afterSeconds: 0)
        if full == nil, fault == nil { return }
        let authorize = batch.authorize
        batch.authorize = { operation, existing in
            if let refusal = authorize(operation, existing) { return refusal }
            if let full, !operation.kind.isDelete { return full }
            guard var error = fault, let first, operation.recordName == first else { return nil }
            error.culprit = first
            if error.code == .conflict { error.serverRecord = try? existing?.decoded(by: codec) }
            return error
        }
    }
}

// MARK: - Requests that change faults

extension CloudService {
    /// The fault injector, for requests that add or remove faults.
    ///
    /// Throws `accessDenied` on a closed server, and on one that keeps its data and listens on the network,
    /// where nobody should be able to inject faults.
    package func settableFaults() throws(RecordError) -> FaultInjector {
        try checkDevelopment("dev/faults")
        if let faults { return faults }
        throw RecordError(
            .accessDenied, "this server keeps its data and listens on the network, so it accepts no faults",
            culprit: "dev/faults",
            nextStep: "use a server of cloudlet serve --ephemeral, or one that is embedded in the shell"
        )
    }
}
