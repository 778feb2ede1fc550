package import LocalReplica

// The two methods that an app offers when `SyncStatus.accountProblem` is `unknownOwner`.
extension CloudSync {
    /// Keeps the records on this device, and makes them records of the signed-in person. The next pass sends
    /// all of them. If another device has done the same before, records with the same name are merged.
    ///
    /// Shares are removed, because only the old server had their participants and URLs. To share a record
    /// again, save a new `CKShare`.
    ///
    /// - Returns: The number of removed shares.
    /// - Throws: `SyncBlocked` unless the account problem is `unknownOwner`, because data never goes from one
    ///   known person to another; for the shared database, always. `CKError` if nobody is signed in or the
    ///   server cannot be reached; `ReplicaError`.
    @discardableResult
    public func resendAllRecords() async throws -> Int {
        await beginExclusive()
        defer { endExclusive() }
        try await identify()
        switch memory.account {
        case .problem(.unknownOwner) where scope == .shared:
            throw SyncBlocked(
                status: SyncStatus(
                    activity: .blocked,
                    why: "the records of the shared database belong to other people; call deleteLocalData()"))
        case .problem(.unknownOwner): break
        case .problem(.otherPerson): throw SyncBlocked(status: .blocked(by: .otherPerson))
        case .owner, .problem(.nobody), .unknown:
            throw SyncBlocked(
                status: SyncStatus(
                    activity: .blocked,
                    why: "the data on this device belongs to the signed-in person already; call sync()"))
        }
        let shares = try await replica.write { try $0.resendAllRecords() }
        forgetServer()
        return shares
    }

    /// Deletes all data on this device, including edits that were never sent. The next pass fetches the data
    /// of the person who is signed in then. It needs neither a server nor a signed-in person.
    ///
    /// - Throws: `ReplicaError`.
    public func deleteLocalData() async throws { try await deleteLocalData { _ in } }

    /// Deletes all data, and performs the further deletions of `body` in the same transaction.
    package func deleteLocalData(_ body: @escaping @Sendable (ReplicaWriter) throws -> Void) async throws {
        await beginExclusive()
        defer { endExclusive() }
        try await replica.write { writer in
            try writer.deleteLocalData()
            try body(writer)
        }
        forgetServer()
        try await replica.removeUnusedFiles()
    }

    /// Waits for the end of a running pass, and prevents other passes until `endExclusive`.
    private func beginExclusive() async {
        while memory.isPassing { await withCheckedContinuation { memory.waiting.append($0) } }
        memory.isPassing = true
    }

    /// Resets the state in memory that depends on the server and on the account.
    private func forgetServer() {
        memory.account = .unknown
        (memory.hold, memory.filesHold, memory.fullStorage) = (nil, nil, FullStorage())
        (memory.isDatabaseStale, memory.mayLackFiles, memory.hasLimits) = (true, true, false)
        (memory.refusedSetup, memory.slowUploads) = (RefusedSetup(), SlowUploads())
        (memory.failures, memory.serverFaults, memory.askedZones) = ([:], [:], [])
        memory.failedZones = []
    }
}

extension SyncStatus {
    /// The status of a sync that is blocked by a problem of the account.
    package static func blocked(by problem: AccountProblem) -> SyncStatus {
        SyncStatus(activity: .blocked, why: problem.message, accountProblem: problem)
    }
}

extension SyncStatus.AccountProblem {
    /// The problem as text for the status.
    var message: String {
        switch self {
        case .nobody: "nobody is signed in; edits are kept and sent later"
        case .otherPerson: "the data on this device belongs to another person than the one who is signed in"
        case .unknownOwner:
            "the server does not know the person whose data is on this device: the server or its data is "
                + "new, or the account was removed"
        }
    }
}
