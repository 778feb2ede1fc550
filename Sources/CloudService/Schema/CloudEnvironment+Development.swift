package import Records

extension CloudEnvironment {
    /// Throws `badRequest` for production: its schema changes only by deployment.
    package func checkDevelopment() throws(RecordError) {
        if self == .development { return }
        throw RecordError(
            .badRequest, "the schema of production is locked", culprit: "production",
            nextStep: "change it in development, then: cloudlet schema deploy CONTAINER"
        )
    }
}
