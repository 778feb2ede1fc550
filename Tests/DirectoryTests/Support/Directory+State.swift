import Directory
import Records

/// The containers of the tests.
let testContainers = ["c", "d"]

extension Directory {
    /// The whole content as text, one line for each object.
    func state() async throws -> [String] {
        var lines: [String] = []
        for account in try await accounts() {
            lines.append("account \(account) \(try await password(of: account.id) ?? "-")")
            for (container, name) in try await userRecordNames(of: account.id).sorted(by: <) {
                let answer = try await isDiscoverable(name, in: container)
                lines.append("user \(container) \(account.name) \(name) \(String(describing: answer))")
            }
        }
        for container in try await containers() { lines.append("container \(container)") }
        for container in testContainers {
            lines.append("users of \(container): \(try await userCount(of: container))")
            for token in try await apiTokens(of: container) { lines.append("token \(token)") }
            for key in try await serverKeys(of: container) { lines.append("key \(key)") }
            for environment in CloudEnvironment.allCases {
                let place = "\(container) \(environment)"
                for device in try await pushTokens(of: container, in: environment) {
                    lines.append("device \(place) \(device)")
                }
                for member in try await roleMembers(of: container, in: environment) {
                    lines.append("member \(place) \(member.role) \(member.userRecordName)")
                }
                let schema = try await schema(of: container, in: environment)
                lines.append("roles \(place) \(schema.roles.sorted())")
                for type in schema.types.values.sorted(by: { $0.name < $1.name }) {
                    lines.append("type \(place) \(type.line)")
                }
            }
        }
        return lines
    }
}

extension TypeSchema {
    /// All members in a fixed order, as text.
    fileprivate var line: String {
        let fields = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let system = systemIndexes.map { "\($0.key) \($0.value.rawValue)" }.sorted()
        let grants = grants.roles.map { role in
            "\(role.name) \(self.grants[role].map(\.rawValue).sorted())"
        }
        return "\(name) \(fields) \(system) \(grants)"
    }
}
