import ArgumentParser
import CommandShell

/// The address of a PostgreSQL database, which may contain a password.
enum DatabaseAddress {
    /// The address in the settings; nil if none is set, so that the records are in files of the data folder.
    ///
    /// - Throws: `ConfigurationError` if the project's file sets it, `ValidationError` if it is not the
    ///   address of a PostgreSQL database.
    static func of(_ settings: Settings) throws -> String? {
        try settings.checkNotOfProject(["database"])
        return try settings["database"].map(checked)
    }

    /// Throws for another kind of address. The message does not repeat the address, because it may contain a
    /// password.
    private static func checked(_ address: String) throws -> String {
        guard address.hasPrefix("postgresql://") || address.hasPrefix("postgres://") else {
            throw ValidationError("--database takes an address such as postgresql://USER@HOST/NAME.")
        }
        return address
    }
}
