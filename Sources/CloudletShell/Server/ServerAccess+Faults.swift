import CommandShell
import Records
import RecordsWire

extension FaultsReport.Entry {
    /// Whether it has befallen as many calls as it should.
    var isUsedUp: Bool {
        count.map { struck >= $0 } ?? false
    }
}

extension ServerAccess {
    /// The faults of the server in the order in which they were added, those that are used up included.
    func faults() async throws -> [FaultsReport.Entry] {
        try await faults(answering: ListFaults())
    }

    /// Puts a fault in force, or ends some.
    func change(_ change: ChangeFaults) async throws -> [FaultsReport.Entry] {
        try await faults(answering: change)
    }

    private func faults<Call: ServerCall>(
        answering call: Call
    ) async throws -> [FaultsReport.Entry] where Call.Answer == FaultsReport {
        do {
            return try await send(call).faults
        } catch let error as RecordError {
            throw Complaint(
                code: "faultsRefused",
                message: "the server does not inject faults (\(error.reason))",
                remedy: "\(invocation) --ephemeral, or a server of cloudlet serve --ephemeral"
            )
        }
    }
}
