import Directory
import Records
import Synchronization

/// The addresses that people have proved with codes which an open server showed them.
///
/// Whoever asks for such a code gets it, so it does not prove that the address is the person's. These
/// addresses are therefore not linked to accounts in the directory: they are forgotten when the process ends,
/// and a closed server with the same data does not know them.
final class ShownCodeProofs: Sendable {
    private let accounts = Mutex<[ContactAddress: String]>([:])

    /// The maximum number of addresses.
    private static let capacity = 20_000

    /// Adds an address of an account. Throws `exists` if another account has proved it, and `limitExceeded`
    /// if there are too many.
    func add(_ address: ContactAddress, of account: String) throws(RecordError) {
        try accounts.withLock { accounts throws(RecordError) in
            if let other = accounts[address] {
                if other == account { return }
                throw AccountRules.taken(address)
            }
            if accounts.count >= Self.capacity {
                throw RecordError(
                    .limitExceeded, "this open server remembers no more than \(Self.capacity) addresses",
                    culprit: address.value, nextStep: "restart the server, which forgets all of them")
            }
            accounts[address] = account
        }
    }

    /// The addresses that an account has proved in this way.
    func addresses(of account: String) -> Set<ContactAddress> {
        accounts.withLock { accounts in Set(accounts.filter { $0.value == account }.keys) }
    }
}
