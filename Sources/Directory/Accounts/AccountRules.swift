package import Records

/// Whose a name, an e-mail address or a phone number is.
package enum AccountRules {
    /// Throws `exists` when another account has the name, e-mail address or phone number of this one.
    ///
    /// - Parameter isTaken: whether an account other than this one answers to a text, as `answers` decides.
    package static func checkUnique(
        _ account: Account, isTaken: (String) throws -> Bool
    ) throws {
        let wanted = [("name", account.name), ("email", account.email), ("phone", account.phone)]
        for case (let kind, let value?) in wanted {
            guard try isTaken(value) else { continue }
            throw RecordError(
                .exists, "somebody else has this \(kind)", culprit: value, nextStep: "choose another"
            )
        }
    }

    /// Whether a text is an account's name, e-mail address in any case, or phone number: all three serve to
    /// recognise a person, so none of them may be another's.
    package static func answers(_ account: Account, to text: String) -> Bool {
        isSame(account.name, text) || account.email.map { isSame($0, text.lowercased()) } == true
            || account.phone.map { isSame($0, text) } == true
    }

    /// Compares by bytes: two spellings of one letter are two texts.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8)
    }

    /// The error for an account that is missing.
    package static func missing(_ name: String) -> RecordError {
        RecordError(.notFound, "there is no such person", culprit: name, nextStep: "list the people")
    }
}
