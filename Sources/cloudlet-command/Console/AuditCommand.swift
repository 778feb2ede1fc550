import ArgumentParser
import CommandShell
import Foundation
import Records
import RecordsWire

/// `cloudlet audit`: prints the changes that operators made.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Print the changes that operators made, newest first.",
        usage: """
            cloudlet audit
            cloudlet audit iCloud.org.example.app --before 120
            """,
        discussion: """
            Lists the changes that were made in the console and to operators, at most 100 at a time; \
            --before lists older ones. A change that names a person by user record name has the name to \
            sign in with in parentheses.
            """
    )

    @Argument(help: "The only container whose changes are listed. Default: all", completion: .containers)
    var container: String?

    @Option(help: "Only entries with lower numbers.")
    var before: Int64?

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(ReadAudit(of: container, before: before)) { entries in
            .table(
                ["NUMBER", "WHEN", "WHO", "WHERE", "WHAT", "OF", "BEFORE", "AFTER"],
                entries.elements.map(Self.row), whenEmpty: "no entries yet")
        }
    }

    private static func row(_ entry: AuditEntry) -> [String] {
        let place = [entry.container, entry.environment?.rawValue].compactMap(\.self)
        return [
            String(entry.number), entry.at.moment.cell, entry.by,
            (place.joined(separator: " ") as String?).cell, entry.action,
            PersonText.of(entry.subject, name: entry.person).cell, entry.before.cell, entry.after.cell,
        ]
    }
}
