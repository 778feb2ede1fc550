/// Decides when the operator is told that a service on which the server depends fails, and that it answers
/// again: each once, however many requests fail meanwhile.
package struct OutageNotice: Hashable, Sendable {
    private let service: String
    private var isOut = false

    /// - Parameter service: the service in the second text, such as `the database engine`. It answers at
    ///   first.
    package init(of service: String) {
        self.service = service
    }

    /// Notes that the service has failed, or that it has answered. Returns the text for the operator; nil if
    /// that is nothing new.
    ///
    /// - Parameter failure: the text for the first failure; nil if the service has answered.
    package mutating func note(failure: String?) -> String? {
        let wasOut = isOut
        isOut = failure != nil
        if wasOut == isOut { return nil }
        return failure ?? "\(service) answers again"
    }
}
