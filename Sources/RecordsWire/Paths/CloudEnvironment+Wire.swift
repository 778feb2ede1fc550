package import Records

extension CloudEnvironment {
    /// The environment with this name. Throws `badRequest` if there is none.
    package init(wire name: String) throws(RecordError) {
        guard let environment = CloudEnvironment(rawValue: name) else {
            throw RecordError(
                .badRequest, "unknown environment", culprit: name,
                nextStep: "use development or production"
            )
        }
        self = environment
    }
}
