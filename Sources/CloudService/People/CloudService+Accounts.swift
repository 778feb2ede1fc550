import Directory
package import Records
import Synchronization

extension CloudService {
    /// Adds a person. `id` and `created` of the account are set here; without a password, the person signs in
    /// by name alone, where that is allowed.
    ///
    /// Throws `badRequest` for what cannot be, and `exists` for a name, address or number that is taken.
    package func addPerson(_ account: Account, password: String? = nil) async throws -> Account {
        var account = try AccountRules.checked(account)
        account.id = seams.randomHex(bytes: 16)
        account.created = seams.now()
        let hash = try await hashed(password)
        account.hasPassword = hash != nil
        try await directory.add(account, password: hash)
        return account
    }

    /// Everybody, in the order of their names.
    package func people() async throws -> [Account] {
        try await directory.accounts()
    }

    /// A person by sign-in name or e-mail address. Throws `notFound`.
    package func person(named name: String) async throws -> Account {
        if NameRules.mayBeSought(name), let account = try await directory.account(signingInAs: name) {
            return account
        }
        throw RecordError(
            .notFound, "there is no such person", culprit: name, nextStep: "list the people, or add this one"
        )
    }

    /// The person's record names by container.
    package func userRecordNames(of person: Account) async throws -> [String: String] {
        try await directory.userRecordNames(of: person.id)
    }

    /// Changes what is known of a person: name, addresses, status.
    ///
    /// Throws as `person` and `addPerson` do.
    @discardableResult
    package func changePerson(
        named name: String, _ change: @Sendable (inout Account) -> Void
    ) async throws -> Account {
        let account = try await person(named: name)
        var changed = account
        change(&changed)
        changed.id = account.id
        changed.created = account.created
        changed.hasPassword = account.hasPassword
        changed = try AccountRules.checked(changed, replacing: account)
        try await directory.change(changed, hashes: try contactHashes(of: changed))
        forgetSessions()
        return changed
    }

    /// Changes what is known of the person who asks, who may set a password with it: that ends the person's
    /// sessions, this one too. A password that is set in a session begun without a proof is good for open
    /// servers only.
    package func changeOwnAccount(
        of caller: Caller, password: String?, _ change: @Sendable (inout Account) -> Void
    ) async throws -> Account {
        let name = try userRecordName(of: caller)
        guard let account = try await directory.account(withUserRecordName: name, in: caller.container)
        else { throw caller.notSignedIn }
        // Looked at first, so that what is refused changes nothing.
        if let password { try AccountRules.checkPassword(password) }
        let changed = try await changePerson(named: account.name, change)
        if let password {
            try await setPassword(
                password, ofPerson: account.name, isProven: caller.session?.isOpen == false)
        }
        return changed
    }

    /// Replaces a person's password, nil for none, and ends the person's sessions.
    ///
    /// - Parameter isProven: whether it comes from an operator or from somebody who proved to be that person.
    ///   If not, it is good for open servers only.
    package func setPassword(
        _ password: String?, ofPerson name: String, isProven: Bool = true
    ) async throws {
        let account = try await person(named: name)
        let stored = try await hashed(password, isProven: isProven)
        await finish(try await directory.setPassword(stored, of: account.id))
        forgetSessions()
    }

    /// Ends all sessions of a person.
    package func signOut(person name: String) async throws {
        let account = try await person(named: name)
        await finish(try await directory.removeSessions(of: account.id))
        forgetSessions()
    }

    /// Deletes a person: the sessions, the private databases with their files, the user records, the account.
    /// What the person saved in public databases stays, without a name behind it.
    ///
    /// Cut short, it can be called again until it ends.
    package func deletePerson(named name: String) async throws {
        let account = try await person(named: name)
        await finish(try await directory.removeSessions(of: account.id))
        forgetSessions()
        let recordNames = try await directory.userRecordNames(of: account.id)
        for (container, recordName) in recordNames {
            try await databases.remove(DatabaseSelection(container: container, owner: recordName))
            try await removePublicUserRecord(recordName, of: container)
        }
        await finish(try await directory.removeAccount(account.id))
        await registry.forget()
        // Until then, whoever looked for the user record had it made again.
        for (container, recordName) in recordNames {
            try await removePublicUserRecord(recordName, of: container)
        }
        quotas.withLock { $0.forget() }
    }

    private func hashed(_ password: String?, isProven: Bool = true) async throws -> String? {
        guard let password else { return nil }
        try AccountRules.checkPassword(password)
        let hash = try await passwords.hash(password, salt: seams.randomBytes(16))
        return StoredPassword(hash: hash, isProven: isProven).text
    }

    /// Lets the next request of everybody look at the directory again.
    private func forgetSessions() {
        sessions.withLock { $0.forget() }
    }
}
