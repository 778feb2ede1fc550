package import Records

/// Rules for the uniqueness of names, e-mail addresses and phone numbers.
package enum AccountRules {
    /// Throws `exists` when another account has the name, e-mail address or phone number of this one.
    ///
    /// - Parameter isTaken: Whether a text identifies another account: as its name, e-mail address or phone
    ///   number (see `answers`), or as an address that is linked to it.
    package static func checkUnique(
        _ account: Account, isTaken: (String) throws -> Bool
    ) throws {
        let wanted = [("name", account.name), ("email", account.email), ("phone", account.phone)]
        for case (let kind, let value?) in wanted {
            guard try isTaken(value) else { continue }
            throw RecordError(
                .exists, "another person has this \(kind)", culprit: value, nextStep: "choose another"
            )
        }
    }

    /// Whether a text is the account's name, its e-mail address in any case, or its phone number. Each of the
    /// three identifies a person, so a text may identify one account only.
    package static func isIdentified(_ account: Account, by text: String) -> Bool {
        isSame(account.name, text) || account.email.map { isSame($0, text.lowercased()) } == true
            || account.phone.map { isSame($0, text) } == true
    }

    /// Compares the UTF-8 bytes, unlike `==`, for which two encodings of one character are equal.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8)
    }

    /// The error for linking an address that another account has.
    package static func taken(_ address: ContactAddress) -> RecordError {
        RecordError(
            .exists, "another account has this address", culprit: address.value,
            nextStep: "sign in to that account, or use another address")
    }

    /// The error for a missing account.
    package static func missing(_ name: String) -> RecordError {
        RecordError(.notFound, "there is no such person", culprit: name, nextStep: "list the people")
    }
}
