import Foundation
import PostgreSQLSupport

extension PostgreSQLSubject {
    /// Runs `work` with the address of a new schema, which servers and libpq can use, and then deletes the
    /// schema.
    func withNewSchema<Value>(_ work: (_ address: String) throws -> Value) throws -> Value {
        let letters = UUID().uuidString.lowercased().filter { $0 != "-" }
        let schema = PostgresSchema("bench_\(letters)", in: try Self.url(of: address))
        try schema.add()
        defer { try? schema.drop() }
        return try work(schema.address)
    }

    /// The URL of a database, for `cloudlet serve`. libpq also accepts addresses such as
    /// `host=db dbname=data`.
    private static func url(of address: String) throws -> String {
        if address.contains("://") { return address }
        let settings = try address.split(separator: " ").map { setting in
            let parts = setting.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, !setting.contains("'"),
                let value = parts[1].addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            else {
                // The setting itself may be a password.
                throw BenchmarkError(
                    "CLOUDLET_POSTGRESQL has a setting that cannot be part of a URL: \(parts[0]); "
                        + "set it to an address such as postgresql://cloudlet@localhost/cloudlet")
            }
            return "\(parts[0])=\(value)"
        }
        return "postgresql:///?\(settings.joined(separator: "&"))"
    }
}
