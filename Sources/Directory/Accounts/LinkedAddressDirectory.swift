package import Records

/// Stores which addresses people have proved to own, in addition to those in their accounts.
///
/// - A linked address belongs to one account for good.
/// - The linked addresses of an account are sorted by their text.
/// - Linking another account's address fails with `exists`.
/// - Linking an address to a missing account fails with `notFound`.
/// - No other account can get a linked address as name, e-mail address or phone number.
/// - Removing an account removes its linked addresses.
package protocol LinkedAddressDirectory: Sendable {
    /// Links an address to an account. An address that is linked to this account already changes nothing.
    /// Throws `exists` when another account has the address, linked or not, or has it as its name, and
    /// `notFound` for a missing account.
    func link(_ address: ContactAddress, to account: String) async throws

    /// The addresses that were linked to an account, without those that the account itself contains.
    func linkedAddresses(of account: String) async throws -> [ContactAddress]
}
