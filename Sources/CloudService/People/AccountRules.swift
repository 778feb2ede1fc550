// Owns what may stand in an account, and the one form in which addresses and numbers are kept (law 1).

package import Records

/// Checks and straightens what an operator or a person says of a person.
package enum AccountRules {
    /// The account with its addresses in the form in which they are compared.
    ///
    /// Throws `badRequest` for what cannot be a name, an e-mail address or a phone number.
    package static func checked(_ account: Account) throws(RecordError) -> Account {
        try NameRules.checkPersonName(account.name)
        var account = account
        account.email = try account.email.map { text throws(RecordError) in
            try ContactAddress(email: text).value
        }
        account.phone = try account.phone.map { text throws(RecordError) in
            try ContactAddress(phone: text).value
        }
        for name in [account.givenName, account.familyName] {
            guard let name else { continue }
            if name.isEmpty || name.count > 100 || name.unicodeScalars.contains(where: { $0.value < 0x20 }) {
                throw refusal("a given or family name has 1 to 100 characters", name)
            }
        }
        return account
    }

    /// Throws `badRequest` for a password that is too short to be one, or too long to be hashed.
    package static func checkPassword(_ password: String) throws(RecordError) {
        guard (8...256).contains(password.count) else {
            throw RecordError(
                .badRequest, "a password has 8 to 256 characters", culprit: "password",
                nextStep: "choose a longer one, of several words for instance"
            )
        }
    }

    private static func refusal(_ reason: String, _ culprit: String) -> RecordError {
        RecordError(
            .badRequest, reason, culprit: String(culprit.prefix(60)), nextStep: "correct it, or leave it out")
    }
}
