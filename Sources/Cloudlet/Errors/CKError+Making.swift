import Foundation

extension CKError {
    /// Creates an error with a text for people, which `localizedDescription` shows.
    ///
    /// - Parameters:
    ///   - reason: The server's reason, if it differs from the text.
    ///   - userInfo: Further entries.
    static func make(
        _ code: Code,
        _ text: String,
        reason: String? = nil,
        userInfo: KeyValuePairs<String, Any> = [:]
    ) -> CKError {
        var entries = Dictionary(userInfo.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        entries[NSLocalizedDescriptionKey] = text
        entries["ServerErrorDescription"] = reason
        if let number = code.internalNumber {
            entries[NSUnderlyingErrorKey] = NSError(domain: "CKInternalErrorDomain", code: number)
        }
        return CKError(code, userInfo: entries)
    }

    /// Creates an error for an invalid request.
    static func invalidArguments(_ text: String) -> CKError {
        make(.invalidArguments, text)
    }

    /// The error for an item that is missing from the server's answer.
    static var noResult: CKError {
        make(
            .internalError,
            "The answer of the server has no result for this item - report this to the server's operator")
    }

    /// Creates the error for an answer with fewer or more results than items were sent.
    static func incompleteAnswer(_ results: Int, of count: Int, _ things: String) -> CKError {
        make(
            .internalError,
            "The server answered for \(results) of \(count) \(things) - report this to its operator")
    }

    /// Creates the error for a change feed that promises more changes, but stays at the same token.
    static func stuckFeed(of subject: String) -> CKError {
        make(
            .internalError,
            "The server's change feed of \(subject) makes no progress - report this to its operator")
    }

    /// Creates the error that the older completion blocks report if some items failed.
    static func partialFailure<ID: Hashable>(_ errors: [ID: any Error]) -> CKError {
        let entries = Dictionary(uniqueKeysWithValues: errors.map { (AnyHashable($0.key), $0.value) })
        return make(
            .partialFailure,
            "\(errors.count) of the items failed - read their errors in partialErrorsByItemID",
            userInfo: [CKPartialErrorsByItemIDKey: entries]
        )
    }
}
