package import Records

/// Checks and normalizes the data of an account that an operator or a person enters.
package enum AccountInput {
    /// Returns the account with normalized e-mail address and phone number. A name or e-mail address that is
    /// the same as in the old account is not checked, so that one which older rules allowed does not prevent
    /// other changes.
    ///
    /// Throws `badRequest` for an invalid name, e-mail address, phone number or quota.
    package static func checked(
        _ account: Account, replacing old: Account? = nil
    ) throws(RecordError) -> Account {
        if account.name != old?.name { try NameRules.checkPersonName(account.name) }
        var account = account
        if let text = account.email, text != old?.email {
            account.email = try ContactAddress(email: text).value
            if !NameRules.isVisible(text) { throw refusal("the value is not an e-mail address", text) }
        }
        account.phone = try account.phone.map { text throws(RecordError) in
            try ContactAddress(phone: text).value
        }
        for (name, known) in [(account.givenName, old?.givenName), (account.familyName, old?.familyName)] {
            guard let name, name != known else { continue }
            if name.isEmpty || name.count > 100 || !NameRules.isVisible(name) {
                throw refusal("a given or family name has 1 to 100 characters, all visible", name)
            }
        }
        if let bytes = account.quotaBytes, bytes < 0 {
            throw refusal("a person's quota is 0 bytes or more", "\(bytes)")
        }
        return account
    }

    /// Throws `badRequest` for a password that is too short, or too long to be hashed.
    package static func checkPassword(_ password: String) throws(RecordError) {
        guard password.utf8.count <= passwordBytes, (8...256).contains(password.count) else {
            throw RecordError(
                .badRequest, "a password has 8 to 256 characters", culprit: "password",
                nextStep: "choose one of this length, of several words for instance"
            )
        }
    }

    /// Maximal size of a password in bytes, because one character may have any number of bytes.
    static let passwordBytes = 4096

    private static func refusal(_ reason: String, _ culprit: String) -> RecordError {
        RecordError(
            .badRequest, reason, culprit: String(culprit.prefix(60)), nextStep: "correct it, or leave it out")
    }
}
