package import Records

/// The reason why an object store did not do what the server asked for, with the operator's next step.
package struct BucketProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var reason: String
    package var nextStep: String
    /// Whether the same request may succeed a little later.
    package var isTemporary = false

    package var description: String { "\(reason); \(nextStep)" }

    /// The refusal in an answer with an error.
    ///
    /// - Parameters:
    ///   - code: The object store's name of the error; nil if the answer has none.
    ///   - place: The bucket and the object store, for people.
    init(status: UInt, code: String?, message: String?, region: String?, at place: String) {
        let said = [code, message].compactMap(\.self).joined(separator: ": ")
        switch code {
        case "NoSuchBucket":
            reason = "the bucket \(place) does not exist"
            nextStep = "create it, for example: aws s3 mb s3://BUCKET; or correct the name in --assets"
        case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken", "InvalidSecurity":
            reason = "\(place) does not accept the keys (\(said))"
            nextStep = "correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and the region in --assets"
        case "AccessDenied", "AllAccessDisabled", "AccountProblem":
            reason = "the keys may not use the bucket \(place) (\(said))"
            nextStep = "allow them to list the bucket and to read, write and delete its objects"
        case "RequestTimeTooSkewed", "RequestExpired":
            reason = "the clocks of this machine and of \(place) differ by more than 15 minutes"
            nextStep = "set this machine's clock, for example: timedatectl set-ntp true"
        case "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed",
            "IllegalLocationConstraintException":
            reason = "the bucket \(place) is in another region" + (region.map { ": \($0)" } ?? "")
            nextStep = "name it in --assets: s3://BUCKET?region=\(region ?? "REGION")"
        case "QuotaExceeded", "XMinioStorageFull", "StorageFull", "QuotaExceededException":
            reason = "\(place) is full (\(said))"
            nextStep = "enlarge it, or delete something"
        default:
            reason = "\(place) answered with the status \(status)" + (said.isEmpty ? "" : " (\(said))")
            nextStep = "look at the log of the object store"
            let temporary = [
                "SlowDown", "InternalError", "ServiceUnavailable", "RequestTimeout", "OperationAborted",
                "ConditionalRequestConflict",
            ]
            isTemporary = [429, 500, 502, 503, 504].contains(status) || temporary.contains(code ?? "")
            if isTemporary { nextStep = "check the object store; the request may succeed a little later" }
        }
    }

    /// The failure to get an answer.
    init(unreachable place: String, _ details: String) {
        reason = "\(place) does not answer: \(details)"
        nextStep = "check the endpoint in --assets, and whether the object store runs"
        isTemporary = true
    }

    /// An answer that does not follow the protocol.
    init(malformedAnswerOf place: String) {
        reason = "\(place) answered in an unknown form"
        nextStep = "check whether the endpoint in --assets is the one for the S3 protocol"
    }
}

extension RecordError {
    /// The error for a client. The reason is for the log only.
    package init(_ problem: BucketProblem) {
        if problem.isTemporary {
            self.init(
                .tryAgainLater, "the store of files does not answer", culprit: "storage",
                nextStep: "try again in some seconds", retryAfter: 5)
        } else {
            self.init(.internalError, "the file store failed", nextStep: "look at the server's log")
        }
        diagnosis = "\(problem)"
    }
}
