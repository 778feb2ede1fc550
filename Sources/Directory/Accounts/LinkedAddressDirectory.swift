package import Records

/// Stores which addresses people have proved to own, in addition to those in their accounts.
///
/// - A linked address belongs to one account until the account is removed.
/// - The linked addresses of an account are sorted by their text.
/// - Linking another account's address fails with `exists`.
/// - Linking an address to a missing account fails with `notFound`.
/// - No other account can get a linked address as name, e-mail address or phone number.
/// - Removing an account removes its linked addresses.
package protocol LinkedAddressDirectory: Sendable {
    /// Links an address to an account. Linking it to the same account again changes nothing.
    ///
    /// - Throws: `exists` if the address is linked to another account, or is another account's name, e-mail
    ///   address or phone number; `notFound` for a missing account.
    func link(_ address: ContactAddress, to account: String) async throws

    /// The addresses that were linked to an account, sorted by their text. The e-mail address and the phone
    /// number of the account itself are among them only if they were linked too.
    func linkedAddresses(of account: String) async throws -> [ContactAddress]
}
