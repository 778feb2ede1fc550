import Directory
package import Records
import Synchronization

/// Sends a code to an address. Throws if it could not be sent.
package typealias CodeSender = @Sendable (_ address: ContactAddress, _ code: String) async throws -> Void

/// Lets people prove that they own the address by which somebody invited them to a share (N75). The address
/// is then linked to their account for good.
package final class AddressService: Sendable {
    private let context: ServiceContext
    private let shares: ShareService
    private let sender: CodeSender?
    private let codes: Mutex<AddressCodes>
    /// The number of codes that are being sent.
    private let sending = Mutex(0)

    private static let codeDigits = 8
    private static let sendingAtOnce = 8
    /// Seconds after which sending a code is given up.
    private static let patienceSeconds = 30

    init(_ context: ServiceContext, shares: ShareService, sender: CodeSender?) {
        self.context = context
        self.shares = shares
        self.sender = sender
        codes = Mutex(AddressCodes(context.limits))
    }

    /// Whether people can prove addresses: the server sends codes, or is open and shows them.
    package var isAvailable: Bool { sender != nil || context.isOpen }

    /// Sends a code to an address if it is invited to a share and nobody has accepted with it. Otherwise does
    /// nothing, so that the caller does not learn who is invited.
    ///
    /// Returns the code instead of sending it on an open server without a sender. Throws `notFound` for a
    /// short GUID that leads to no share, `throttled` after too many requests, `tryAgainLater` if the code
    /// could not be sent, and `accessDenied` on a server that neither sends nor shows codes.
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
        try codes.withLock { codes throws(RecordError) in try codes.add(code, for: claim, at: now) }
        guard let sender else { return code }
        try await send(code, to: address, by: sender)
        return nil
    }

    /// Links an address to the caller's account. Throws `accessDenied` for a wrong code, and `exists` if
    /// another account has the address.
    package func confirm(
        _ address: ContactAddress, with code: String, by caller: Caller
    ) async throws {
        let account = try await account(of: caller)
        let claim = AddressCodes.Claim(account: account.id, address: address)
        let now = context.runtime.now()
        let text = String(code.filter { !$0.isWhitespace }.prefix(2 * Self.codeDigits))
        try codes.withLock { codes throws(RecordError) in try codes.use(text, for: claim, at: now) }
        try await context.directory.link(address, to: account.id)
    }

    private func account(of caller: Caller) async throws -> Account {
        let name = try caller.requireUserRecordName()
        guard
            let account = try await context.directory.account(withUserRecordName: name, in: caller.container)
        else { throw caller.notSignedIn }
        return account
    }

    private func newCode() -> String {
        let number = context.runtime.randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let digits = String(number % 100_000_000)
        return String(repeating: "0", count: Self.codeDigits - digits.count) + digits
    }

    private func send(
        _ code: String, to address: ContactAddress, by sender: @escaping CodeSender
    ) async throws {
        let isFree = sending.withLock { count in
            if count >= Self.sendingAtOnce { return false }
            count += 1
            return true
        }
        guard isFree else { throw Self.notSent(after: 5) }
        defer { sending.withLock { $0 -= 1 } }
        let idle = context.runtime.idle
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await sender(address, code) }
                group.addTask {
                    try await idle(Self.patienceSeconds)
                    throw Self.notSent(after: 60)
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch {
            context.runtime.refusals.tell(.failure) {
                context.runtime.report("a code could not be sent: \(error)")
            }
            throw Self.notSent(after: 60)
        }
    }

    private static func notSent(after seconds: Int) -> RecordError {
        RecordError(
            .tryAgainLater, "the code could not be sent", culprit: "address",
            nextStep: "try again, or tell the server's operator", retryAfter: seconds)
    }
}
