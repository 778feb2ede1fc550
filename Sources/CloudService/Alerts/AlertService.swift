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
    private let quotas: QuotaService
    private let round = Mutex(QuotaRound())
    private let people = Mutex(PeopleFigure())
    private let isOn: Bool
    private let looksAtQuotas: Bool
    private let looksAtPeople: Bool

    /// The last number of nearly full people, and when it was determined.
    private struct PeopleFigure: Sendable {
        var count: Int?
        var at: Timestamp?
    }

    /// The maximum number of alerts that wait after the sender failed; older ones are dropped.
    private static let waiting = 20
    /// The share of their quota, in percent, from which people count as nearly full.
    private static let nearlyFull: Int64 = 90
    /// The seconds between two determinations of the nearly full people, for which the size of every private
    /// database on the disk is read.
    private static let peopleSeconds: Int64 = 600

    init(
        _ context: ServiceContext, containers: ContainerService, quotas: QuotaService, rules: [AlertRule],
        sender: AlertSender?
    ) {
        self.context = context
        self.containers = containers
        self.quotas = quotas
        self.sender = sender
        isOn = !rules.isEmpty && sender != nil
        book = Mutex(AlertBook(rules))
        window = Mutex(RequestWindow(since: context.runtime.now()))
        looksAtQuotas = rules.contains { $0.figure == .quota }
        looksAtPeople = rules.contains { $0.figure == .people }
    }

    /// Counts a request of an app that was answered. Returns at once.
    ///
    /// The requests of operators and of a load balancer's probes do not count, nor those of anybody for a
    /// missing container, which an open server answers: they would hide that no app reaches the server, or
    /// that most of the apps' requests fail.
    package func observe(_ request: AnsweredRequest) {
        guard isOn, request.isOfApp, let container = request.container else { return }
        if !request.hasServerError, !containers.containerRegistry.isCached(container) { return }
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
        if looksAtPeople { figures.nearlyFullPeople = await nearlyFullPeople(at: now) }
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

    /// The fullest public database. Each call measures some containers, so that all of them have their
    /// turn, however many there are.
    private func fullest() async -> AlertFigures.Fullness? {
        guard let names = try? await context.directory.containers().map(\.name) else { return nil }
        for name in round.withLock({ $0.next(of: names) }) {
            for environment in CloudEnvironment.allCases {
                guard let space = try? await containers.publicSpace(of: name, in: environment) else {
                    continue
                }
                let percent = space.percent ?? 0
                round.withLock {
                    $0.store(percent, of: ContainerKey(container: name, environment: environment))
                }
            }
        }
        return round.withLock { $0.fullest }
    }

    /// The number of nearly full people, determined a short time ago; nil if it is not known.
    private func nearlyFullPeople(at now: Timestamp) async -> Int? {
        let known = people.withLock { $0 }
        if let at = known.at, now < at.advanced(bySeconds: Self.peopleSeconds) { return known.count }
        guard let count = try? await quotas.nearlyFullPeople(percent: Self.nearlyFull) else {
            return known.count
        }
        people.withLock { $0 = PeopleFigure(count: count, at: now) }
        return count
    }
}

extension PublicSpace {
    /// The share of its quota that the database uses, in percent; nil without a limit.
    fileprivate var percent: Double? {
        [(recordBytes, recordLimit), (assetBytes, assetLimit)].compactMap { used, limit in
            guard let limit, limit > 0 else { return nil }
            return Double(used) / Double(limit) * 100
        }.max()
    }
}
