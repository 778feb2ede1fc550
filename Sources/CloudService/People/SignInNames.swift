/// Finds the sign-in names of people by their user record names, each once, whether or not the people let
/// others find them. Only for the holder of the operator's key, who can read every account. The pages of the
/// console do not use it: they name only people who let others find them.
package struct SignInNames {
    private struct User: Hashable {
        let name: String
        let container: String
    }

    private let people: PeopleService
    private var known: [User: String?] = [:]

    package init(_ people: PeopleService) { self.people = people }

    /// The sign-in name of a person; nil if nobody has this user record name in the container.
    package mutating func name(of userRecordName: String?, in container: String?) async throws -> String? {
        guard let userRecordName, let container else { return nil }
        let user = User(name: userRecordName, container: container)
        if let name = known[user] { return name }
        let name = try await people.signInName(ofUserRecord: userRecordName, in: container)
        known[user] = .some(name)
        return name
    }
}
