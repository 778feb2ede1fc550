import CloudService
import Foundation
import NIOPosix
import Records
import ServerData
import Synchronization

/// Checks the data folder of a running server and makes backups of it, one check or backup at a time.
final class FolderMaintenance: Maintenance {
    private let folder: URL
    /// Whether the folder is deleted when the server stops.
    private let isTemporary: Bool
    /// The folder for backups; nil if the settings name none.
    private let backupFolder: URL?
    private let clock: @Sendable () -> Date
    private let isBusy = Mutex(false)

    init(of folder: DataFolder, backups backupFolder: URL?, clock: @escaping @Sendable () -> Date) {
        self.folder = folder.url
        isTemporary = folder.isTemporary
        self.backupFolder = backupFolder
        self.clock = clock
    }

    func check() async throws -> MaintenanceReport {
        if isTemporary { return Self.nothingToCheck }
        let folder = folder
        return try await runExclusively {
            let check = DataCheck(of: folder)
            return MaintenanceReport(
                databases: check.databases, files: check.files, findings: check.findings.map(Self.finding))
        }
    }

    /// The report of an ephemeral server, which locks its databases and deletes them when it stops.
    private static let nothingToCheck = MaintenanceReport(
        databases: 0, files: 0,
        findings: [
            MaintenanceReport.Finding(
                isProblem: false, subject: "data",
                text: "an ephemeral server has nothing to check: its data is deleted when it stops",
                nextStep: "for data that stays, start a server with: cloudlet serve --data DIR")
        ])

    func backups() async throws -> [BackupReport]? {
        guard let backupFolder else { return nil }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: backupFolder.path)) ?? []
        return names.filter { $0.hasPrefix(Self.prefix) }.sorted(by: >).map { BackupReport(name: $0) }
    }

    func backUp() async throws -> BackupReport {
        if isTemporary {
            throw RecordError(
                .badRequest, "an ephemeral server has no backups: its data is deleted when it stops",
                culprit: "backups", nextStep: "start a server with: cloudlet serve --data DIR --backups DIR")
        }
        guard let backupFolder else {
            throw RecordError(
                .badRequest, "the server's settings name no folder for backups", culprit: "backups",
                nextStep: "start it with: cloudlet serve --backups DIR, or use: cloudlet backup DIR")
        }
        let style = Date.ISO8601FormatStyle(timeSeparator: .omitted, includingFractionalSeconds: true)
        let name = Self.prefix + clock().formatted(style)
        let folder = folder
        return try await runExclusively {
            do {
                let made = try DataBackup.make(of: folder, at: backupFolder.appendingPathComponent(name))
                return BackupReport(
                    name: name, bytes: made.bytes, flaws: made.damaged.count + made.missing.count)
            } catch let error as ServerError {
                throw RecordError(
                    .badRequest, error.reason, culprit: "backups", nextStep: error.nextStep)
            }
        }
    }

    private static let prefix = "backup-"

    /// Runs work on a thread that answers no requests. Throws `tryAgainLater` while another check or backup
    /// runs.
    private func runExclusively<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let isFirst = isBusy.withLock { busy in
            defer { busy = true }
            return !busy
        }
        guard isFirst else {
            throw RecordError(
                .tryAgainLater, "another check or backup of the data is running", culprit: "maintenance",
                nextStep: "wait until it has ended", retryAfter: 10)
        }
        defer { isBusy.withLock { $0 = false } }
        return try await NIOThreadPool.singleton.runIfActive(work)
    }

    /// A finding for operators. It omits the name and the contents of a private database, which only its
    /// owner may see.
    private static func finding(_ finding: DataCheck.Finding) -> MaintenanceReport.Finding {
        let parts = finding.subject.split(separator: "/", maxSplits: 4)
        guard parts.count > 3, parts[3] == "private" else {
            return MaintenanceReport.Finding(
                isProblem: finding.isProblem, subject: finding.subject, text: finding.text,
                nextStep: finding.nextStep)
        }
        return MaintenanceReport.Finding(
            isProblem: finding.isProblem, subject: parts[..<4].joined(separator: "/"),
            text: finding.isProblem ? "a private database has a problem" : "a private database has a notice",
            nextStep: "run cloudlet doctor on the server for details")
    }
}
