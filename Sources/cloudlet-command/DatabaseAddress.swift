import ArgumentParser
import CommandShell

/// The address of a PostgreSQL database, which may contain a password.
enum DatabaseAddress {
    /// The address of the settings; nil: files keep the records. A project's file must not name it.
    static func of(_ settings: Settings) throws -> String? {
        try settings.checkNotOfProject(["database"])
        return try settings["database"].map(checked)
    }

    /// Throws for another kind of address. The message does not repeat it, because of the password.
    private static func checked(_ address: String) throws -> String {
        guard address.hasPrefix("postgresql://") || address.hasPrefix("postgres://") else {
            throw ValidationError("--database takes an address such as postgresql://USER@HOST/NAME.")
        }
        return address
    }
}
