import CloudHTTP
import CloudService
import Records

/// The findings of a check of the server's data, and its backups.
struct MaintenanceScreen: Screen {
    static let title = "Maintenance"
    static let role = OperatorRole.admin
    static let actions: [String: OperatorRole] = ["check": .admin, "back-up": .admin]
    static let unlogged: Set<String> = ["check"]

    private struct View: Sendable {
        struct Row: Sendable {
            var kind: String
            var subject: String
            var text: String
            var nextStep: String
        }

        var action: String
        var csrfToken: String
        /// The summary of the check; nil before a check.
        var verdict: String?
        var rows: [Row]
        var hidden: Int?
        var mayBackUp: Bool
        var backups: [String]
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        try await content(request, report: nil)
    }

    private func content(_ request: ScreenRequest, report: MaintenanceReport?) async throws -> PageContent {
        let backups = try await Self.maintenance(request).backups()
        var budget = PageTextBudget(bytes: 50_000)
        let findings = report?.findings ?? []
        let rows = findings.prefix(100).map { finding in
            View.Row(
                kind: finding.isProblem ? "problem" : "notice",
                subject: budget.shortened(finding.subject, bytes: 200),
                text: budget.shortened(finding.text, bytes: 400),
                nextStep: budget.shortened(finding.nextStep, bytes: 400))
        }
        let view = View(
            action: Address.path("maintenance"), csrfToken: request.csrfToken,
            verdict: report.map { "\($0.databases) databases and \($0.files) files were checked." },
            rows: rows, hidden: findings.count > rows.count ? findings.count - rows.count : nil,
            mayBackUp: backups != nil,
            backups: (backups ?? []).prefix(50).map { budget.shortened($0.name, bytes: 100) })
        return PageContent(heading: Self.title, html: try Page.html(ServerTemplate.maintenance, view))
    }

    private static func maintenance(_ request: ScreenRequest) throws(RecordError) -> any Maintenance {
        if let maintenance = request.service.maintenance { return maintenance }
        throw RecordError(
            .notFound, "the server has no data folder that the console could check", culprit: "maintenance",
            nextStep: "use the command line: cloudlet doctor")
    }

    func act(_ action: String, _ form: FormFields, _ request: ScreenRequest) async throws -> Outcome {
        let maintenance = try Self.maintenance(request)
        if action == "check" {
            return .page(try await content(request, report: try await maintenance.check()))
        }
        let made = try await maintenance.backUp()
        let flaws = made.flaws == 0 ? "" : ", \(made.flaws) damaged or missing"
        try await request.log("server.back-up", made.name, after: "\(made.bytes ?? 0) bytes\(flaws)")
        return .redirect(
            to: Address.path("maintenance"),
            notice: "The backup \(made.name) was made: \(UsageScreen.bytes(made.bytes ?? 0))\(flaws).")
    }
}
