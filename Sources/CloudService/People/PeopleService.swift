import AssetStore
import Directory
import RecordStore
package import Records
import Synchronization

/// The people of the server: their accounts, signing in, and discovery.
package final class PeopleService: Sendable {
    let context: ServiceContext
    let containerRegistry: ContainerRegistry
    let sessions: SessionService
    let credentials: CredentialService
    let records: RecordService
    let devices: DeviceService
    let quotas: QuotaService
    /// Signs the tickets of the sign-in page.
    let signer: ReceiptSigner
    let passwords: PasswordHasher
    let signInLimiter = Mutex(SignInLimiter())

    init(
        _ context: ServiceContext, containerRegistry: ContainerRegistry, sessions: SessionService,
        credentials: CredentialService, records: RecordService, devices: DeviceService, quotas: QuotaService,
        signer: ReceiptSigner, passwordCost: PasswordCost
    ) {
        self.context = context
        self.containerRegistry = containerRegistry
        self.sessions = sessions
        self.credentials = credentials
        self.records = records
        self.devices = devices
        self.quotas = quotas
        self.signer = signer
        passwords = PasswordHasher(cost: passwordCost)
    }

    /// Adds a person. `id` and `created` of the account are set here. Without a password, the person can sign
    /// in by name on open servers.
    ///
    /// Throws `badRequest` for what cannot be, and `exists` for a name, address or number that is taken.
    package func add(_ account: Account, password: String? = nil) async throws -> Account {
        var account = try AccountRules.checked(account)
        account.id = context.runtime.randomHex(bytes: 16)
        account.created = context.runtime.now()
        let hash = try await hashed(password, of: account)
        account.hasPassword = hash != nil
        try await context.directory.add(account, password: hash)
        return account
    }

    /// All people, by name.
    package func all() async throws -> [Account] {
        try await context.directory.accounts()
    }

    /// A person by sign-in name or e-mail address. Throws `notFound`.
    package func person(named name: String) async throws -> Account {
        if NameRules.mayBeSought(name), let account = try await context.directory.account(signingInAs: name) {
            return account
        }
        throw RecordError(
            .notFound, "there is no such person", culprit: name, nextStep: "list the people, or add this one"
        )
    }

    /// The person's record names by container.
    package func userRecordNames(of person: Account) async throws -> [String: String] {
        try await context.directory.userRecordNames(of: person.id)
    }

    /// Changes name, addresses or status of a person.
    ///
    /// Throws as `person` and `add` do.
    @discardableResult
    package func change(
        named name: String, _ change: @Sendable (inout Account) -> Void
    ) async throws -> Account {
        let account = try await person(named: name)
        var changed = account
        change(&changed)
        changed.id = account.id
        changed.created = account.created
        changed.hasPassword = account.hasPassword
        changed = try AccountRules.checked(changed, replacing: account)
        try await context.directory.change(changed, hashes: try contactHashes(of: changed))
        sessions.clearCache()
        return changed
    }

    /// Changes the account of the caller, and sets a password if one is given: that ends all sessions of the
    /// person, this one too. A password that is set in a session begun without a proof is good for open
    /// servers only.
    package func changeOwnAccount(
        of caller: Caller, password: String?, _ change: @Sendable (inout Account) -> Void
    ) async throws -> Account {
        let name = try caller.requireUserRecordName()
        guard
            let account = try await context.directory.account(withUserRecordName: name, in: caller.container)
        else { throw caller.notSignedIn }
        // Checked first, so that a refused password changes nothing.
        if let password { try AccountRules.checkPassword(password) }
        let changed = try await self.change(named: account.name, change)
        if let password {
            try await setPassword(
                password, ofPerson: account.name, isProven: caller.session?.isOpen == false)
        }
        return changed
    }

    /// Replaces the password of a person, or removes it with nil, and ends the person's sessions.
    ///
    /// - Parameter isProven: whether it comes from an operator or from somebody who proved to be that person.
    ///   If not, it is good for open servers only.
    package func setPassword(
        _ password: String?, ofPerson name: String, isProven: Bool = true
    ) async throws {
        let account = try await person(named: name)
        let stored = try await hashed(password, of: account, isProven: isProven)
        await sessions.finish(try await context.directory.setPassword(stored, of: account.id))
        sessions.clearCache()
    }

    /// Ends all sessions of a person.
    package func signOut(person name: String) async throws {
        let account = try await person(named: name)
        await sessions.finish(try await context.directory.removeSessions(of: account.id))
        sessions.clearCache()
    }

    /// Deletes a person: the sessions, the private databases with their files, the user records, the account.
    /// Records of the person in public databases stay, but no account belongs to their creator any more.
    ///
    /// When it fails, call it again.
    package func delete(named name: String) async throws {
        let account = try await person(named: name)
        await sessions.finish(try await context.directory.removeSessions(of: account.id))
        sessions.clearCache()
        let recordNames = try await context.directory.userRecordNames(of: account.id)
        for (container, recordName) in recordNames {
            try await context.provider.remove(DatabaseSelection(container: container, owner: recordName))
            try await records.removePublicUserRecord(recordName, of: container)
        }
        await sessions.finish(try await context.directory.removeAccount(account.id))
        await devices.clearCache()
        // Until the account was gone, a look-up could create the user record again.
        for (container, recordName) in recordNames {
            try await records.removePublicUserRecord(recordName, of: container)
        }
        quotas.clearCache()
    }

    private func hashed(
        _ password: String?, of account: Account, isProven: Bool = true
    ) async throws -> String? {
        guard let password else { return nil }
        try AccountRules.checkPassword(password)
        let hash = try await passwords.hash(
            password, salt: context.runtime.randomBytes(16), for: .account(account.id))
        return StoredPassword(hash: hash, isProven: isProven).text
    }
}
extension AccountStatus {
    /// The error for a person whose account has this status; nil if it may be used.
    var obstacle: RecordError? {
        switch self {
        case .available: nil
        case .restricted:
            RecordError(
                .accountRestricted, "the account is restricted", culprit: "account",
                nextStep: "ask the server's operator to lift the restriction"
            )
        case .temporarilyUnavailable:
            RecordError(
                .accountUnavailable, "the account is temporarily unavailable", culprit: "account",
                nextStep: "keep the changes, and try again when the account's owner has solved the problem"
            )
        }
    }
}
