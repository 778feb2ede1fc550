import Records
import RecordsWire

/// A container in one environment, as the addresses of the console name it.
struct ConsolePlace: Hashable, Sendable {
    var container: String
    var environment: CloudEnvironment

    /// The path of a section, such as `/console/containers/iCloud.test/development/records`.
    func path(_ section: String = "types", _ query: [(String, String)] = []) -> String {
        Address.path("containers", container, environment.rawValue, section) + Address.query(query)
    }

    var isDevelopment: Bool { environment == .development }
}

/// Creates the addresses of pages.
enum Address {
    static let root = "/console"

    /// A path below `/console`. Percent-encodes its parts.
    static func path(_ parts: String...) -> String {
        ([root] + parts.map { PercentEncoding.encode($0) }).joined(separator: "/")
    }

    /// `?name=value&…`; empty for no values.
    static func query(_ values: [(String, String)]) -> String {
        if values.isEmpty { return "" }
        return "?" + values.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    }
}
