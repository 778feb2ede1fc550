import AssetStore
import Directory
import RecordStore
package import Records
import Synchronization

/// Manages the people of the server: accounts, signing in, and discovery.
package final class PeopleService: Sendable {
    let context: ServiceContext
    let containerRegistry: ContainerRegistry
    let sessions: SessionService
    let credentials: CredentialService
    let records: RecordService
    let devices: DeviceService
    let quotas: QuotaService
    /// Signs the tickets of the sign-in page.
    let signer: TicketSigner
    let passwords: PasswordHasher
    let signInLimiter = Mutex(SignInLimiter())
    /// When old sessions were deleted last; nil if they have not been since the start.
    let sessionsForgotten = Mutex<Timestamp?>(nil)

    init(
        _ context: ServiceContext, containerRegistry: ContainerRegistry, sessions: SessionService,
        credentials: CredentialService, records: RecordService, devices: DeviceService, quotas: QuotaService,
        signer: TicketSigner, passwordCost: PasswordCost
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

    /// Adds a person. Sets `id` and `created` of the account. Without a password, the person can sign in by
    /// name on open servers only.
    ///
    /// Throws `badRequest` for invalid data, and `exists` for a name, e-mail address or phone number that is
    /// in use.
    package func add(_ account: Account, password: String? = nil) async throws -> Account {
        var account = try AccountInput.checked(account)
        account.id = context.runtime.randomHex(bytes: 16)
        account.created = context.runtime.now()
        let hash = try await hashed(password, of: account)
        account.hasPassword = hash != nil
        try await context.directory.add(account, password: hash)
        return account
    }

    /// All people, sorted by name.
    package func all() async throws -> [Account] {
        try await context.directory.accounts()
    }

    /// The first people by name, at most `limit`, whose names come after `name`; nil begins with the first.
    package func page(after name: String?, limit: Int) async throws -> [Account] {
        try await context.directory.accounts(after: name, limit: limit)
    }

    /// The person with this sign-in name or e-mail address. Throws `notFound` if there is none.
    package func person(named name: String) async throws -> Account {
        if NameRules.canBeLookedUp(name), let account = try await context.directory.account(signingInAs: name)
        {
            return account
        }
        throw RecordError(
            .notFound, "there is no such person", culprit: name, nextStep: "list the people, or add this one"
        )
    }

    /// The person with this sign-in name or e-mail address, or else with this user record name in any
    /// container, such as one in the name of a database file. Throws `notFound` if there is none.
    package func person(withAnyName name: String) async throws -> Account {
        do {
            return try await person(named: name)
        } catch let error as RecordError where error.code == .notFound {
            if !NameRules.canBeLookedUp(name) { throw error }
            for container in try await context.directory.containers(withUserRecordName: name) {
                if let account = try await context.directory.account(
                    withUserRecordName: name, in: container)
                {
                    return account
                }
            }
            throw error
        }
    }

    /// The person's user record names, keyed by container.
    package func userRecordNames(of person: Account) async throws -> [String: String] {
        try await context.directory.userRecordNames(of: person.id)
    }

    /// The sign-in name of the person with this user record name; nil if nobody has it in the container.
    func signInName(ofUserRecord name: String, in container: String) async throws -> String? {
        guard NameRules.canBeLookedUp(name) else { return nil }
        return try await context.directory.account(withUserRecordName: name, in: container)?.name
    }

    /// Changes name, addresses, status or quota of a person.
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
        changed = try AccountInput.checked(changed, replacing: account)
        try await context.directory.change(changed, hashes: try contactHashes(of: changed))
        sessions.clearCache()
        if changed.quotaBytes != account.quotaBytes { quotas.clearCache() }
        return changed
    }

    /// Changes the caller's own account, and sets a password if one is given, which ends all sessions of the
    /// person, including this one. A password that is set in a session begun without proof of identity is
    /// valid on open servers only.
    package func changeOwnAccount(
        of caller: Caller, password: String?, _ change: @Sendable (inout Account) -> Void
    ) async throws -> Account {
        let name = try caller.requireUserRecordName()
        guard
            let account = try await context.directory.account(withUserRecordName: name, in: caller.container)
        else { throw caller.notSignedIn }
        // Checked first, so that a refused password changes nothing.
        if let password { try AccountInput.checkPassword(password) }
        let changed = try await self.change(named: account.name, change)
        if let password {
            try await setPassword(
                password, ofPerson: account.name, isProven: caller.session?.isOpen == false)
        }
        return changed
    }

    /// Replaces the password of a person, or removes it if nil, and ends the person's sessions.
    ///
    /// - Parameter isProven: whether the password comes from an operator or from a person who proved their
    ///   identity. If not, it is valid on open servers only.
    package func setPassword(
        _ password: String?, ofPerson name: String, isProven: Bool = true
    ) async throws {
        let account = try await person(named: name)
        let stored = try await hashed(password, of: account, isProven: isProven)
        await sessions.cleanUp(after: try await context.directory.setPassword(stored, of: account.id))
        sessions.clearCache()
    }

    /// Ends all sessions of a person.
    package func signOut(person name: String) async throws {
        let account = try await person(named: name)
        await sessions.cleanUp(after: try await context.directory.removeSessions(of: account.id))
        sessions.clearCache()
    }

    /// Deletes a person with sessions, private databases and their files, user records, and account. The
    /// person's records in public databases stay, but their creator has no account any more.
    ///
    /// If the deletion fails, call this again.
    package func delete(named name: String) async throws {
        let account = try await person(named: name)
        context.provider.makeRoomForDeletion()
        await sessions.cleanUp(after: try await context.directory.removeSessions(of: account.id))
        sessions.clearCache()
        let recordNames = try await context.directory.userRecordNames(of: account.id)
        for (container, recordName) in recordNames {
            try await context.provider.remove(DatabaseSelection(container: container, owner: recordName))
            try await records.removeSharedPushes(of: recordName, in: container)
            try await records.removePublicUserRecord(recordName, of: container)
        }
        await sessions.cleanUp(after: try await context.directory.removeAccount(account.id))
        await devices.clearCache()
        // Until the account was removed, a look-up could have created the user record again.
        for (container, recordName) in recordNames {
            try await records.removePublicUserRecord(recordName, of: container)
        }
        quotas.clearCache()
    }

    private func hashed(
        _ password: String?, of account: Account, isProven: Bool = true
    ) async throws -> String? {
        guard let password else { return nil }
        try AccountInput.checkPassword(password)
        let hash = try await passwords.hash(
            password, salt: context.runtime.randomBytes(16), for: .account(account.id))
        return StoredPassword(hash: hash, isProven: isProven).text
    }
}

extension AccountStatus {
    /// The error for a person whose account has this status; nil for an available account.
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
