import Directory
import Records
import Synchronization

/// Sends an alert to operators.
package typealias AlertSender = @Sendable (Alert) async throws -> Void

/// Watches the figures for which operators have rules, and sends alerts.
package final class AlertService: RequestObserver {
    private let context: ServiceContext
    private let containers: ContainerService
    private let sender: AlertSender?
    private let book: Mutex<AlertBook>
    private let window: Mutex<RequestWindow>
    private let isOn: Bool
    private let looksAtQuotas: Bool

    /// The maximum number of alerts that wait after the sender failed; older ones are dropped.
    private static let waiting = 20
    /// The maximum number of containers whose quota is checked.
    private static let containerCount = 200

    init(_ context: ServiceContext, containers: ContainerService, rules: [AlertRule], sender: AlertSender?) {
        self.context = context
        self.containers = containers
        self.sender = sender
        isOn = !rules.isEmpty && sender != nil
        book = Mutex(AlertBook(rules))
        window = Mutex(RequestWindow(since: context.runtime.now()))
        looksAtQuotas = rules.contains { $0.figure == .quota }
    }

    /// Counts a request of an app that was answered. Returns at once.
    ///
    /// The requests of operators and of a load balancer's probes do not count: they would hide that no app
    /// reaches the server, or that most of the apps' requests fail.
    package func observe(_ request: AnsweredRequest) {
        if !isOn || !request.isOfApp { return }
        let now = context.runtime.now()
        window.withLock { $0.add(isServerError: request.hasServerError, at: now) }
    }

    /// Evaluates the rules once a minute, and sends alerts, until it is cancelled.
    package func run() async {
        guard isOn else { return }
        var unsent: [Alert] = []
        while !Task.isCancelled {
            do { try await context.runtime.idle(60) } catch { return }
            unsent += await due()
            unsent = await send(unsent.suffix(Self.waiting))
        }
    }

    /// The alerts that are due now.
    package func due() async -> [Alert] {
        let now = context.runtime.now()
        var figures = window.withLock { $0.figures(at: now) }
        if looksAtQuotas { figures.fullest = await fullest() }
        return book.withLock { $0.step(figures, at: now) }
    }

    /// Sends alerts in their order. Returns those that could not be sent.
    private func send(_ alerts: ArraySlice<Alert>) async -> [Alert] {
        guard let sender else { return [] }
        for index in alerts.indices {
            do {
                try await sender(alerts[index])
            } catch {
                context.runtime.warn("an alert was not sent, and is sent again in a minute: \(error)")
                return Array(alerts[index...])
            }
        }
        return []
    }

    private func fullest() async -> AlertFigures.Fullness? {
        var fullest: AlertFigures.Fullness?
        guard let names = try? await context.directory.containers().map(\.name) else { return nil }
        for name in names.prefix(Self.containerCount) {
            for environment in CloudEnvironment.allCases {
                guard let space = try? await containers.publicSpace(of: name, in: environment) else {
                    continue
                }
                let shares = [(space.recordBytes, space.recordLimit), (space.assetBytes, space.assetLimit)]
                for case (let used, let limit?) in shares where limit > 0 {
                    let percent = Double(used) / Double(limit) * 100
                    if percent > fullest?.percent ?? -1 {
                        fullest = AlertFigures.Fullness(
                            database: "\(name) \(environment.rawValue)", percent: percent)
                    }
                }
            }
        }
        return fullest
    }
}
