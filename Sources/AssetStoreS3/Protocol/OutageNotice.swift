/// Decides when the operator is told that the object store fails, and that it answers again. Of failures that
/// follow each other within less than `calm`, only the first is told, however many requests are answered in
/// between.
struct OutageNotice: Hashable, Sendable {
    /// How long no request may have failed before the operator is told that the object store answers again.
    static let calm = Duration.seconds(60)

    /// The time of the last failure; nil while the operator knows of none.
    private var lastFailure: Duration?

    /// Notes that a request failed, or that it was answered. Returns the text for the operator; nil if there
    /// is nothing new to tell.
    ///
    /// - Parameters:
    ///   - failure: the text for the operator; nil if the request was answered.
    ///   - time: the time since any fixed moment.
    mutating func note(failure: String?, at time: Duration) -> String? {
        if let failure {
            let isFirst = lastFailure == nil
            lastFailure = time
            return isFirst ? failure : nil
        }
        guard let lastFailure, time - lastFailure >= Self.calm else { return nil }
        self.lastFailure = nil
        return "the object store answers again"
    }
}
