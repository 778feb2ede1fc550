// Owns what can be asked about apps that send much: too many requests, or a whole set of data.
import Foundation

/// A command that loads a server.
enum LoadCommand: Equatable, Sendable {
    case audit(AuditCommand)
    /// How many requests a person may send in how many seconds; as the server was started if nothing.
    case rate(requests: Int?, seconds: Int)
    /// Sends requests without pause; a patient one waits when it is told to.
    case runaway(count: Int, isPatient: Bool)
    /// Makes a key for an app's own server and registers it, or takes one that was registered.
    case serverKey(id: String?, file: Word?)
    case importSet(Word?)
}
