// Owns what can be asked about accounts and about finding people.
import Foundation

/// A command about who is signed in, and about others.
enum PeopleCommand: Equatable, Sendable {
    case signIn(person: String, passwordFile: Word?, staysSignedIn: Bool)
    /// The person's own addresses and names, by field.
    case profile([String: String])
    /// Asks the person whether others may find them; the answer, or the person is asked at the terminal.
    case askDiscoverable(answer: Bool?)
    case setDiscoverable(Bool)
    case showDiscoverable
    case addContact(name: String, addresses: [String])
    case friends
    case discover(String)
}
