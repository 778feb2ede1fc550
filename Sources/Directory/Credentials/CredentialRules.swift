package import Records

/// The errors of tokens and keys.
package enum CredentialRules {
    /// The error for a token or key whose `id` is in use.
    package static func taken(_ id: String) -> RecordError {
        RecordError(
            .exists, "another token or key has this id", culprit: id, nextStep: "choose another id")
    }

    /// The error for a token or key that is missing or revoked.
    package static func notValid(_ id: String) -> RecordError {
        RecordError(
            .notFound, "no valid token or key has this id", culprit: id,
            nextStep: "list the container's tokens and keys"
        )
    }
}
