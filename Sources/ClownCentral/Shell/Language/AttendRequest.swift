// Owns what somebody says who joins a party.
import Foundation

/// Who joins which party, and in which of the two ways.
struct AttendRequest: Equatable, Sendable {
    /// The two ways to write down who comes.
    enum Way: Equatable, Sendable {
        /// A record of one's own that points at the party.
        case ownRecord
        /// A list on the party; merging applies the change to the server's version if there is a newer one.
        case array(merging: Bool)
    }

    var party: Word
    /// Who comes; the person who is signed in if nobody.
    var name: String?
    var way: Way
}
