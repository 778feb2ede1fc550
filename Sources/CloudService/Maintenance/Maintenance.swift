/// Checks and backs up the data folder of a server, for the console.
package protocol Maintenance: Sendable {
    /// Checks the data folder, as `cloudlet doctor` does. The report of an ephemeral server says that there
    /// is nothing to check. Throws `tryAgainLater` while another check or a backup runs.
    func check() async throws -> MaintenanceReport

    /// The backups in the folder that the server's settings name, newest first; nil if the settings name no
    /// folder.
    func backups() async throws -> [BackupReport]?

    /// Makes a backup in that folder, as `cloudlet backup` does. Throws `badRequest` if the settings name no
    /// folder, and `tryAgainLater` while a check or another backup runs.
    func backUp() async throws -> BackupReport
}

/// The result of a check of the data folder.
package struct MaintenanceReport: Hashable, Sendable {
    /// One finding.
    package struct Finding: Hashable, Sendable {
        /// Whether data is lost or at risk; other findings are for information.
        package var isProblem: Bool
        /// The file or folder.
        package var subject: String
        package var text: String
        package var nextStep: String

        package init(isProblem: Bool, subject: String, text: String, nextStep: String) {
            self.isProblem = isProblem
            self.subject = subject
            self.text = text
            self.nextStep = nextStep
        }
    }

    package var databases: Int
    package var files: Int
    /// Problems first.
    package var findings: [Finding]

    package init(databases: Int, files: Int, findings: [Finding]) {
        self.databases = databases
        self.files = files
        self.findings = findings
    }
}

/// A backup on the server's disk.
package struct BackupReport: Hashable, Sendable {
    /// The name of its folder, which begins with `backup-` and has the time.
    package var name: String
    /// The number of copied bytes; nil for an earlier backup in a list.
    package var bytes: Int64?
    /// How many databases and files were damaged or missing when they were copied.
    package var flaws: Int

    package init(name: String, bytes: Int64? = nil, flaws: Int = 0) {
        self.name = name
        self.bytes = bytes
        self.flaws = flaws
    }
}
