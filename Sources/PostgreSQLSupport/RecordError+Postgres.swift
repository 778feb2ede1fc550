package import Records

extension RecordError {
    /// The error of the store for one of PostgreSQL.
    ///
    /// - Parameters:
    ///   - message: for the log only.
    ///   - state: the five characters of SQLSTATE; the first two name the class of the error.
    package init(postgres message: String, state: String) {
        switch state.prefix(2) {
        case "08", "57":
            self.init(
                .tryAgainLater, "the database engine does not answer",
                nextStep: "try again in a moment; the operator finds the cause in the server's log",
                retryAfter: 1)
        case "28":
            self.init(
                .tryAgainLater, "the database engine refuses the sign-in", culprit: "database",
                nextStep: "the operator has to correct the role's name or its password, which can be in the "
                    + "address, in PGPASSWORD or in ~/.pgpass",
                retryAfter: 10)
        case "40", "55":
            self.init(
                .tryAgainLater, "the database is busy", nextStep: "try again in a moment", retryAfter: 1)
        case "53":
            self.init(
                .tryAgainLater, "the database engine has no room left",
                nextStep: "try again later; the operator has to make room", retryAfter: 60)
        default:
            self.init(.internalError, "the store failed", nextStep: "look at the server's log")
        }
        diagnosis = "\(message) (\(state))"
    }

    /// The error for a name or text that PostgreSQL cannot store.
    static let nullCharacter = RecordError(
        .badRequest, "a name contains the character NUL, which the database engine cannot store",
        nextStep: "remove it from the name")
}
