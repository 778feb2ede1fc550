// Owns what can be asked about containers, schemas, roles and rules.
import Cloudlet
import Foundation

/// A command of the operator of the server in this process, or about where on it commands go.
enum OperatorCommand: Equatable, Sendable {
    case createContainer(String)
    case useContainer(String)
    case listContainers
    /// Looks at records in a zone of the person's own from now on; in public if nothing.
    case useZone(String?)
    case useEnvironment(CloudConnection.Environment)
    /// All record types, or one with its fields.
    case describeSchema(type: Word?)
    case deleteFromSchema(type: String, field: String?)
    case grant(GrantRequest)
    case deploySchema
    case createRole(String)
    case setMember(role: String, person: String, isMember: Bool)
    /// Which rule allows or refuses something: on a record, else on records of a type.
    case why(permission: String, target: Word)
}

/// A permission that a role gets on a record type, or loses.
struct GrantRequest: Equatable, Sendable {
    var type: String
    var permission: String
    var role: String
    var isRemoved: Bool
}
