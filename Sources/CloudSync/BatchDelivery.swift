import Foundation
import LocalReplica
import Records

/// Whether the server has applied an edit that was sent without an answer.
///
/// Each batch has a token. With the changes of a zone, the server returns the token of the last batch of this
/// device that it applied, and the records of that batch that it did not change. An unanswered batch is sent
/// again before all others, and alone. So the server's last batch is either the unanswered one or the one
/// before it. Another implementation of CloudKit may not return a last batch; then `SentFields` decides by
/// the fields.
enum BatchDelivery: Equatable {
    case unknown, applied, notApplied
}

extension ReplicaRow {
    /// Returns whether the edit that was sent has arrived, according to the server's last batch of this
    /// device.
    ///
    /// - Parameter lastApplied: the last batch that the server was known to have applied before.
    func delivery(_ last: ClientChange?, after lastApplied: Data?) -> BatchDelivery {
        guard let last, let sentToken else { return .unknown }
        let token = Data(last.token)
        if token == sentToken { return last.exceptions.contains(id.name) ? .notApplied : .applied }
        return token == lastApplied ?? Data() ? .notApplied : .unknown
    }
}
