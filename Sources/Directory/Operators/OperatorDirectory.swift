package import Records

/// Stores the operators who sign in to the console.
///
/// - An operator has a password and roles, for all containers and for single ones.
/// - Operators are sorted by name.
/// - Adding an operator whose name is in use fails with `exists`.
/// - Changing an operator replaces the roles, and keeps the password unless there is a new one.
/// - Changing or removing a missing operator fails with `notFound`.
/// - Removing a container removes the operators' roles in it.
package protocol OperatorDirectory: Sendable {
    /// Adds an operator. `password` is a hash. Throws `exists` if another operator has the name.
    func add(_ account: OperatorAccount, password: String) async throws

    /// Replaces the roles of an operator, and the hash of the password unless `password` is nil. Throws
    /// `notFound` for a missing operator.
    func change(_ account: OperatorAccount, password: String?) async throws

    /// Removes an operator. Throws `notFound` for a missing one.
    func removeOperator(named name: String) async throws

    /// All operators, sorted by name.
    func operators() async throws -> [OperatorAccount]

    /// The operator of that name, with the hash of the password; nil if there is none.
    func operatorAccount(named name: String) async throws -> (account: OperatorAccount, password: String)?
}
