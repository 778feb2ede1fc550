import CommandShell
import Records
import RecordsWire

extension FaultsReport.Entry {
    /// Whether the fault has affected as many calls as its `count`.
    var isUsedUp: Bool {
        count.map { affectedCalls >= $0 } ?? false
    }
}

extension ServerAccess {
    /// The faults of the server in the order in which they were added, including those that are used up.
    func faults() async throws -> [FaultsReport.Entry] {
        try await faults(answering: ListFaults())
    }

    /// Adds or removes faults.
    func change(_ change: ChangeFaults) async throws -> [FaultsReport.Entry] {
        try await faults(answering: change)
    }

    private func faults<Call: ServerCall>(
        answering call: Call
    ) async throws -> [FaultsReport.Entry] where Call.Answer == FaultsReport {
        do {
            return try await send(call).faults
        } catch let error as RecordError {
            throw ShellError(
                code: "faultsRefused",
                message: "the server does not inject faults (\(error.reason))",
                remedy: "\(invocation) --ephemeral, or a server of cloudlet serve --ephemeral"
            )
        }
    }
}
