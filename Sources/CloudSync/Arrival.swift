import Foundation
import LocalReplica
import Records

/// Whether the server has done what was sent, and not answered.
///
/// Each batch has a name, and the server says with the changes of a zone which batch of this device it took
/// last, and what of it was not done. Batches of which nobody knows yet are sent before all others and alone.
/// So the last one is either the batch in doubt, or the one before it. A server of another kind says nothing;
/// then `SentFields` concludes from the fields what it can.
enum Arrival: Equatable {
    case unknown, arrived, missed
}

extension ReplicaRow {
    /// Whether the edit that was sent arrived, by what the server says of this device's last batch.
    ///
    /// - Parameter taken: The last batch that the server was known to have taken before.
    func arrival(_ last: ClientChange?, after taken: Data?) -> Arrival {
        guard let last, let sentToken else { return .unknown }
        let token = Data(last.token)
        if token == sentToken { return last.exceptions.contains(id.name) ? .missed : .arrived }
        return token == taken ?? Data() ? .missed : .unknown
    }
}
