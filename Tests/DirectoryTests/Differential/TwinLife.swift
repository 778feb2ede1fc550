import Directory
import Records
import Testing

@testable import TestKit

/// Makes the same random calls on two directories, and compares the answers.
struct TwinLife {
    private let memory: MemoryDirectory
    private var compared: any Directory
    private let seed: UInt64
    private var random: SeededNumbers
    /// Makes names and identifiers unique.
    private var serial = 0
    private var step = 0
    /// The last operations, for the report of a difference.
    private var diary: [String] = []
    private(set) var answers = 0

    init(memory: MemoryDirectory, compared: any Directory, seed: UInt64) {
        self.memory = memory
        self.compared = compared
        self.seed = seed
        random = SeededNumbers(seed: seed)
    }

    /// Goes on with another directory, which has the same content.
    mutating func goOn(with directory: any Directory) { compared = directory }

    /// Runs one random operation.
    mutating func live(_ step: Int) async throws {
        self.step = step
        switch random.next() % 100 {
        case ..<25: try await changePeople()
        case ..<40: try await useContainers()
        case ..<60: try await changeSessions()
        case ..<75: try await changeDevices()
        case ..<87: try await changeCredentials()
        default: try await changeSchemas()
        }
    }

    mutating func compareWholeStates() async throws {
        try await compare("whole state") { try await $0.state() }
    }

    // MARK: Random values

    private static let names = ["anna", "bert", "carl", "Dora", "a@x.org", "+4912345"]
    private static let addresses = [nil, nil, "a@x.org", "b@x.org", "c@x.org"]
    private static let numbers = [nil, nil, "+4912345", "+4923456"]
    private static let linked: [ContactAddress] = [
        .email("a@x.org"), .email("b@x.org"), .phone("+4912345"), .phone("+4923456"),
    ]
    private static let roles = ["admin", "staff", "guests"]

    private var now: Timestamp { time(Int64(step / 3)) }

    private mutating func unique() -> Int {
        serial += 1
        return serial
    }

    private mutating func container() -> String { random.pick(testContainers) }

    private mutating func environment() -> CloudEnvironment { random.pick(CloudEnvironment.allCases) }

    private mutating func hash() -> [UInt8] { [UInt8.random(in: 0..<40, using: &random)] }

    /// An existing account, or a missing one.
    private mutating func account() async throws -> Account {
        let known = try await memory.accounts()
        if known.isEmpty || random.chance(5) { return Account(id: "#missing", name: "missing") }
        return random.pick(known)
    }

    /// The hashes of the account's addresses, so that no two accounts have the same.
    private func hashes(of account: Account) -> ContactHashes {
        ContactHashes(
            email: account.email.map { Array($0.utf8) }, phone: account.phone.map { Array($0.utf8) })
    }

    private mutating func recordName(in container: String) async throws -> String {
        let account = try await account()
        return try await memory.userRecordNames(of: account.id)[container] ?? "_missing"
    }

    // MARK: Kinds of operation

    private mutating func changePeople() async throws {
        let time = now
        switch random.next() % 11 {
        case 0, 1:
            let (name, id) = (random.pick(Self.names), "#\(unique())")
            try await compare("account named \(name)") {
                try await $0.account(named: name, newID: id, at: time)
            }
        case 2, 3:
            let account = Account(
                id: "#\(unique())", name: random.pick(Self.names), email: random.pick(Self.addresses),
                phone: random.pick(Self.numbers), created: time)
            let password = random.pick([nil, "secret"])
            try await compare("add \(account)") { try await $0.add(account, password: password) }
        case 4, 5:
            var account = try await account()
            account.name = random.pick([account.name] + Self.names)
            account.email = random.pick(Self.addresses)
            account.phone = random.pick(Self.numbers)
            account.status = random.pick(AccountStatus.allCases)
            account.quotaBytes = random.pick([nil, 7])
            let (changed, hashes) = (account, hashes(of: account))
            try await compare("change \(changed)") { try await $0.change(changed, hashes: hashes) }
        case 6:
            let account = try await account()
            let password = random.pick([nil, "new"])
            try await compare("password of \(account.name)") {
                try await $0.setPassword(password, of: account.id)
            }
        case 7:
            let account = try await account()
            try await compare("remove \(account.name)") { try await $0.removeAccount(account.id) }
        case 8:
            let account = try await account()
            let address = random.pick(Self.linked)
            try await compare("link \(address) to \(account.name)") {
                try await $0.link(address, to: account.id)
            }
            try await compare("addresses of \(account.name)") {
                try await $0.linkedAddresses(of: account.id)
            }
        default:
            let name = random.pick(Self.names + ["A@X.org", "B@x.org"])
            try await compare("sign in as \(name)") { try await $0.account(signingInAs: name) }
        }
    }

    private mutating func useContainers() async throws {
        let (container, time) = (container(), now)
        switch random.next() % 20 {
        case 0: try await compare("remove \(container)") { try await $0.removeContainer(container) }
        case 1, 2: try await compare("add \(container)") { try await $0.addContainer(container, at: time) }
        case 3...8:
            let (account, name) = (try await account(), "_\(unique())")
            try await compare("record name of \(account.name) in \(container)") {
                try await $0.userRecordName(of: account, in: container, candidate: name)
            }
        case 9...14:
            let account = try await account()
            let name = try await memory.userRecordNames(of: account.id)[container] ?? "_missing"
            let (answer, hashes) = (random.chance(70), hashes(of: account))
            try await compare("\(name) in \(container) may be found: \(answer)") {
                try await $0.setDiscoverable(answer, name, in: container, hashes: hashes)
            }
        default:
            let name = try await recordName(in: container)
            let lookups: [UserLookup] = [
                .userRecordName(name), .email(random.pick(["a@x.org", "b@x.org"])), .phone("+4912345"),
                .contactHash(Array("c@x.org".utf8)), .contactHash(Array("+4912345".utf8)),
            ]
            try await compare("look up in \(container)") { directory in
                try await directory.discoverableUsers(lookups, in: container)
                    .map { $0.map { "\($0.account) \($0.userRecordName)" } }
            }
        }
    }

    private mutating func changeSessions() async throws {
        let (hash, time) = (hash(), now)
        switch random.next() % 12 {
        case 0...5:
            let account = try await account()
            let place =
                random.chance(60)
                ? ContainerKey(container: container(), environment: environment()) : nil
            let session = Session(
                account: account.id, place: place, lifetime: random.pick([nil, 0, 1]), seen: time,
                isOpen: random.chance(20))
            let limit = Int.random(in: 1...4, using: &random)
            try await compare("session \(hash) of \(account.name), limit \(limit)") {
                try await $0.addSession(hash: hash, session, limit: limit)
            }
        case 6: try await compare("touch \(hash)") { try await $0.touchSession(hash: hash, at: time) }
        case 7: try await compare("end \(hash)") { try await $0.removeSession(hash: hash) }
        case 8:
            let account = try await account()
            try await compare("sign out \(account.name)") { try await $0.removeSessions(of: account.id) }
        case 9 where random.chance(20):
            try await compare("end open sessions") { try await $0.removeOpenSessions() }
        case 10: try await compare("forget sessions") { try await $0.forgetSessions(at: time) }
        default:
            try await compare("session \(hash)") { directory in
                try await directory.session(hash: hash).map { "\($0.session) \($0.account)" }
            }
        }
    }

    private mutating func changeDevices() async throws {
        let (container, environment) = (container(), environment())
        let text = "token \(Int.random(in: 0..<8, using: &random))"
        let user = try await recordName(in: container)
        switch random.next() % 10 {
        case 0...4:
            let device = PushToken(
                text: text, service: .development, container: container, environment: environment,
                user: user, client: nil, created: now, session: random.chance(60) ? hash() : nil)
            try await compare("add \(device)") { try await $0.add(device) }
        case 5:
            try await compare("remove \(text)") {
                try await $0.removePushToken(text, of: container, in: environment)
            }
        case 6: try await compare("find \(text)") { try await $0.pushTokens(text) }
        case 7:
            let value = random.pick([0, 3, 12, -4])
            try await compare("badge \(value) of \(user)") {
                try await $0.setBadge(value, of: user, in: container, environment)
            }
        default:
            let changes = [user: Int.random(in: -5...5, using: &random), "_other": 1]
            try await compare("badges \(changes)") {
                try await $0.changeBadges(changes, of: container, in: environment, atMost: 9)
            }
        }
    }

    private mutating func changeCredentials() async throws {
        let (container, environment, time) = (container(), environment(), now)
        let (id, hash) = ("\(Int.random(in: 0..<20, using: &random))", hash())
        switch random.next() % 8 {
        case 0...2:
            let token = APIToken(
                id: id, container: container, environment: environment, label: "an app",
                allowedOrigins: random.pick([[], ["https://a.example"]]),
                callback: random.pick([.message, .redirect("https://a.example/")]), created: time)
            try await compare("add \(token)") { try await $0.add(token, hash: hash) }
        case 3: try await compare("token \(hash)") { try await $0.apiToken(hash: hash) }
        case 4: try await compare("revoke token") { try await $0.revokeAPIToken(id: id, at: time) }
        case 5:
            let key = ServerKey(
                id: id, container: container, environment: environment, label: "a server",
                publicKey: hash, owner: "_", created: time)
            try await compare("add \(key)") { try await $0.add(key) }
        case 6: try await compare("revoke key") { try await $0.revokeServerKey(id: id, at: time) }
        default:
            try await compare("known secret \(id)") { try await $0.secret(named: id) }
            try await compare("secret \(id)") { try await $0.secret(named: id, candidate: hash) }
        }
    }

    private mutating func randomType() -> TypeSchema {
        var type = TypeSchema(
            name: random.pick(["A", "B", "C"]), grants: random.pick([.standard, Grants()]))
        for name in ["x", "y", "z"] where random.chance(50) {
            type.fields[name] = FieldSchema(
                type: random.pick([.scalar(.string), .list(.int64), .scalar(.double)]),
                isEncrypted: random.chance(20), indexes: random.pick([[], [.queryable], [.sortable]]),
                number: random.pick([nil, .unsettled, .preferred]))
        }
        type.grants[.custom(random.pick(Self.roles))] = random.pick([[], [.read], [.create, .write]])
        if random.chance(50) { type.systemIndexes = [.recordName: .queryable] }
        return type
    }

    private mutating func changeSchemas() async throws {
        let (container, environment) = (container(), environment())
        switch random.next() % 8 {
        case 0, 1:
            let types = [randomType(), randomType()]
            try await compare("save \(types.map(\.name))") {
                try await $0.save(types, of: container, in: environment)
            }
        case 2, 3:
            let types = [randomType(), randomType()]
            let roles = Set(Self.roles.shuffled(using: &random).prefix(2))
            let schema = Schema(
                types: Dictionary(types.map { ($0.name, $0) }, uniquingKeysWith: { $1 }), roles: roles)
            try await compare("replace the schema of \(container) \(environment), roles \(roles)") {
                try await $0.replaceSchema(of: container, in: environment, with: schema)
            }
        default:
            let member = RoleMember(
                role: random.pick(Self.roles), userRecordName: try await recordName(in: container))
            if random.chance(70) {
                try await compare("add \(member)") {
                    try await $0.addRoleMember(member, of: container, in: environment)
                }
            } else {
                try await compare("remove \(member)") {
                    try await $0.removeRoleMember(member, of: container, in: environment)
                }
            }
        }
    }

    // MARK: Comparing

    private mutating func compare(_ entry: String, _ body: (any Directory) async throws -> Void) async throws
    {
        try await compare(entry) { directory -> Bool in
            try await body(directory)
            return true
        }
    }

    /// Makes the same call on both directories, and compares the results or errors.
    private mutating func compare<T: Equatable & Sendable>(
        _ entry: String, _ body: (any Directory) async throws -> T
    ) async throws {
        answers += 1
        diary.append(entry)
        if diary.count > 40 { diary.removeFirst(20) }
        let expected = await outcome(body, memory)
        let found = await outcome(body, compared)
        if expected == found { return }
        Issue.record(
            """
            seed \(seed), step \(step); what was done last:
            \(diary.suffix(15).map { "  \($0)" }.joined(separator: "\n"))
            memory: \(expected)
            \(type(of: compared)): \(found)
            """
        )
        throw Difference()
    }

    private struct Difference: Error {}

    /// An internal error is always a failure, even if both directories throw it.
    private func outcome<T>(
        _ body: (any Directory) async throws -> T, _ directory: any Directory
    ) async -> Result<T, RecordError> {
        do {
            return .success(try await body(directory))
        } catch let error as RecordError {
            if error.code == .internalError { Issue.record("seed \(seed), step \(step): \(error)") }
            return .failure(error)
        } catch {
            return .failure(RecordError(.internalError, "\(type(of: directory)): \(error)"))
        }
    }
}
