import Records
import RecordsWire

/// The target of an address below `/console`.
enum ConsoleRoute: Sendable {
    case style
    case icon
    case signIn
    case signOut
    case screen(any Screen.Type, ConsolePlace?)

    /// The screens of the whole server, by their part of the path.
    static let serverScreens: [String: any Screen.Type] = [
        "containers": ContainersScreen.self, "people": PeopleScreen.self, "person": PersonScreen.self,
        "operators": OperatorsScreen.self, "audit": AuditScreen.self, "limits": LimitsScreen.self,
        "maintenance": MaintenanceScreen.self, "logs": LogsScreen.self,
    ]

    /// The screens of a container in one environment, by their part of the path.
    static let containerScreens: [String: any Screen.Type] = [
        "types": TypesScreen.self, "type": TypeScreen.self,
        "indexes": IndexesScreen.self, "records": RecordsScreen.self,
        "record": RecordScreen.self, "new": NewRecordScreen.self, "delete": DeleteRecordScreen.self,
        "roles": RolesScreen.self, "tokens": TokensScreen.self, "schema": SchemaScreen.self,
        "deploy": DeployScreen.self, "usage": UsageScreen.self, "performance": PerformanceScreen.self,
        "audit": AuditScreen.self, "own": OwnScreen.self, "own-record": OwnRecordScreen.self,
        "zones": ZonesScreen.self, "shares": SharesScreen.self, "subscriptions": SubscriptionsScreen.self,
        "settings": SettingsScreen.self, "users": UsersScreen.self, "schema.ckdb": SchemaExportScreen.self,
        "image": ImageScreen.self, "logs": LogsScreen.self,
    ]

    /// Parses a path whose first part is `console`. Throws `notFound` if it has no target.
    init(_ path: [Substring], _ query: String) throws(RecordError) {
        var parts: [String] = []
        for part in path.dropFirst() {
            guard let text = PercentEncoding.decode(part) else { throw Self.nowhere }
            parts.append(text)
        }
        switch parts.count {
        case 0: self = .screen(ContainersScreen.self, nil)
        case 1 where parts[0] == "style.css": self = .style
        case 1 where parts[0] == "icon.svg": self = .icon
        case 1 where parts[0] == "sign-in": self = .signIn
        case 1 where parts[0] == "sign-out": self = .signOut
        case 1:
            guard let screen = Self.serverScreens[parts[0]] else { throw Self.nowhere }
            self = .screen(screen, nil)
        case 3, 4:
            let section = parts.count == 4 ? parts[3] : "types"
            guard parts[0] == "containers", let environment = CloudEnvironment(rawValue: parts[2]),
                let screen = Self.containerScreens[section]
            else { throw Self.nowhere }
            self = .screen(screen, ConsolePlace(container: parts[1], environment: environment))
        default: throw Self.nowhere
        }
    }

    private static let nowhere = RecordError(
        .notFound, "the console has no such page", culprit: "path", nextStep: "begin at /console")
}
