package import Records

/// The errors for operators.
package enum OperatorRules {
    /// The error for a name that another operator has.
    package static func taken(_ name: String) -> RecordError {
        RecordError(
            .exists, "another operator has this name", culprit: name, nextStep: "choose another name")
    }

    /// The error for an operator who does not exist.
    package static func missing(_ name: String) -> RecordError {
        RecordError(
            .notFound, "there is no such operator", culprit: name,
            nextStep: "list the operators: cloudlet operator list")
    }
}
