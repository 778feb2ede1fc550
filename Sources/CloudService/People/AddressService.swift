import Directory
package import Records
import Synchronization

/// Sends a code to an address. Throws if it could not be sent.
package typealias CodeSender = @Sendable (_ address: ContactAddress, _ code: String) async throws -> Void

/// Lets people prove that they own the address by which somebody invited them to a share. The address is then
/// linked to their account for good, unless an open server has shown the code: then it counts for this
/// process only (see `ShownCodeProofs`).
///
/// Neither an answer nor its timing may reveal whether an address is invited. So the limits apply before the
/// look-up, and `runSending` sends the codes after the request is answered.
package final class AddressService: Sendable {
    private let context: ServiceContext
    private let shares: ShareService
    private let sender: CodeSender?
    private let shownProofs: ShownCodeProofs
    private let codes: Mutex<AddressCodes>
    /// The codes that wait to be sent.
    private let messages: AsyncStream<Message>
    private let queue: AsyncStream<Message>.Continuation

    private struct Message {
        var address: ContactAddress
        var code: String
    }

    private static let codeDigits = 8
    private static let concurrentSends = 8
    /// The maximum number of codes that wait to be sent.
    private static let maximumWaiting = 100
    /// The timeout for sending a code, in seconds.
    private static let sendTimeoutSeconds = 30

    init(
        _ context: ServiceContext, shares: ShareService, sender: CodeSender?, shownProofs: ShownCodeProofs
    ) {
        self.context = context
        self.shares = shares
        self.sender = sender
        self.shownProofs = shownProofs
        codes = Mutex(AddressCodes(context.limits))
        (messages, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.maximumWaiting))
    }

    /// Whether people can prove addresses: the server sends codes, or is open and shows them.
    package var isAvailable: Bool { sender != nil || context.isOpen }

    /// Sends a code to an address if it is invited to a share and nobody has accepted with it, unless too
    /// many codes were sent to it in the last hour. Otherwise does nothing, and the caller cannot tell the
    /// cases apart.
    ///
    /// Returns the code instead of sending it on an open server without a sender. Throws `notFound` for a
    /// short GUID without a share, `throttled` after too many requests of the account, `tryAgainLater` after
    /// too many of all accounts, and `accessDenied` on a server that neither sends nor shows codes.
    package func requestCode(
        for address: ContactAddress, toJoin shortGUID: String, by caller: Caller
    ) async throws -> String? {
        let account = try await account(of: caller)
        if !isAvailable {
            throw RecordError(
                .accessDenied, "this server cannot send codes", culprit: "address",
                nextStep: "ask the server's operator to enter the address in your account")
        }
        let now = context.runtime.now()
        try codes.withLock { codes throws(RecordError) in try codes.request(by: account.id, at: now) }
        guard try await shares.isWaiting(for: address, shortGUID, by: caller) else { return nil }
        let code = newCode()
        let claim = AddressCodes.Claim(account: account.id, address: address)
        guard codes.withLock({ $0.add(code, for: claim, at: now) }) else { return nil }
        if sender == nil { return code }
        if case .dropped = queue.yield(Message(address: address, code: code)) {
            reportNotSent("\(Self.maximumWaiting) codes are waiting already")
        }
        return nil
    }

    /// Sends codes until it is cancelled.
    package func runSending() async {
        guard let sender else { return }
        await withTaskGroup(of: Void.self) { group in
            var count = 0
            for await message in messages {
                if count == Self.concurrentSends {
                    await group.next()
                    count -= 1
                }
                group.addTask { await self.send(message, by: sender) }
                count += 1
            }
            group.cancelAll()
        }
    }

    /// Links an address to the caller's account: for good if the server sends codes, and until this process
    /// ends if it shows them. Throws `accessDenied` for a wrong code, and `exists` if another account has the
    /// address.
    package func confirm(
        _ address: ContactAddress, with code: String, by caller: Caller
    ) async throws {
        let account = try await account(of: caller)
        let claim = AddressCodes.Claim(account: account.id, address: address)
        let now = context.runtime.now()
        let text = String(code.filter { !$0.isWhitespace }.prefix(2 * Self.codeDigits))
        try codes.withLock { codes throws(RecordError) in try codes.use(text, for: claim, at: now) }
        if sender != nil { return try await context.directory.link(address, to: account.id) }
        let owner = try await context.directory.account(signingInAs: address.value)
        if let owner, owner.id != account.id { throw AccountRules.taken(address) }
        try shownProofs.add(address, of: account.id)
    }

    private func account(of caller: Caller) async throws -> Account {
        let name = try caller.requireUserRecordName()
        guard
            let account = try await context.directory.account(withUserRecordName: name, in: caller.container)
        else { throw caller.notSignedIn }
        return account
    }

    private func newCode() -> String {
        let number = context.runtime.randomBytes(8).bigEndianNumber
        let digits = String(number % 100_000_000)
        return String(repeating: "0", count: Self.codeDigits - digits.count) + digits
    }

    private func send(_ message: Message, by sender: @escaping CodeSender) async {
        let idle = context.runtime.idle
        do {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    try await sender(message.address, message.code)
                    return true
                }
                group.addTask {
                    try await idle(Self.sendTimeoutSeconds)
                    return false
                }
                defer { group.cancelAll() }
                if try await group.next() == true { return }
                reportNotSent("it took longer than \(Self.sendTimeoutSeconds) seconds")
            }
        } catch {
            reportNotSent("\(error)")
        }
    }

    private func reportNotSent(_ reason: String) {
        context.runtime.refusals.tell(.failure) {
            context.runtime.report("a code could not be sent: \(reason)")
        }
    }
}
