package import Records
import Synchronization

/// Counts the answered requests and the pushes of the server, and reports them.
///
/// Once a minute, the counts in memory are added to the `TelemetryStore`; if the process is killed, the last
/// minute is lost. Calls to private databases are counted together over all people, and no count names a
/// person.
package final class TelemetryService: Sendable {
    private let context: ServiceContext
    private let store: any TelemetryStore
    private let containerRegistry: ContainerRegistry
    private let pushHub: PushHub
    private let buffer: Mutex<TelemetryBuffer>
    private let counted = WakeUp()

    init(
        _ context: ServiceContext, store: any TelemetryStore, containerRegistry: ContainerRegistry,
        pushHub: PushHub
    ) {
        self.context = context
        self.store = store
        self.containerRegistry = containerRegistry
        self.pushHub = pushHub
        buffer = Mutex(TelemetryBuffer(keyLimit: context.limits.telemetryKeys))
    }

    /// Stores the counts once a minute, as long as there are any. Returns when its task is cancelled.
    package func run() async {
        for await _ in counted.signals {
            var isBusy = true
            while isBusy, !Task.isCancelled {
                do { try await context.runtime.idle(60) } catch { return }
                isBusy = await flush()
                // Lets other tasks run even in a test whose pauses take no time.
                await Task.yield()
            }
        }
    }

    /// Stores the counts in memory. Returns whether there were any.
    ///
    /// If the store fails, the counts stay in memory, added up, until the next call.
    @discardableResult
    package func flush() async -> Bool {
        let minute = TelemetryPeriod.minute.number(of: context.runtime.now())
        let pushes = pushHub.takeCounts()
        let minutes = buffer.withLock { buffer in
            buffer.add(pushes, in: minute)
            return buffer.drain()
        }
        if minutes.isEmpty { return false }
        do {
            try await store.add(minutes)
        } catch {
            buffer.withLock { $0.restore(minutes) }
            context.runtime.refusals.tell(.failure) {
                context.runtime.report("the counts of requests could not be stored: \(error)")
            }
        }
        return true
    }

    /// The counts of the last periods, with everything that has been answered until now.
    package func report(_ question: TelemetryQuery) async throws -> TelemetryReport {
        await flush()
        let now = context.runtime.now()
        let period = question.period
        let last = period.number(of: now)
        let first = last - Int64(period.shown) + 1
        let rows = try await store.counts(question, from: first, to: last)
        let people = try await store.people(question, from: first, to: last)
        var periods: [Int64: TelemetryCounts] = [:]
        var operations: [String: TelemetryCounts] = [:]
        var total = TelemetryCounts()
        for row in rows {
            periods[row.number, default: TelemetryCounts()].merge(row.counts)
            operations[row.key.operation, default: TelemetryCounts()].merge(row.counts)
            total.merge(row.counts)
        }
        let hasPeople = period.countsPeople && question.scope == .all && question.operation == nil
        return TelemetryReport(
            period: period, end: now,
            points: (first...last).map { number in
                TelemetryReport.Point(
                    start: period.start(of: number),
                    figures: periods[number].map(TelemetryFigures.init) ?? TelemetryFigures(),
                    people: hasPeople ? people[number]?.count ?? 0 : nil)
            },
            operations: operations.map { .init(name: $0.key, figures: TelemetryFigures($0.value)) }
                .sorted { ($1.figures.requests, $0.name) < ($0.figures.requests, $1.name) },
            total: TelemetryFigures(total))
    }

    /// All counts since the server started, without those of deleted containers.
    package func totals() -> [TelemetryKey: TelemetryCounts] {
        let minute = TelemetryPeriod.minute.number(of: context.runtime.now())
        let pushes = pushHub.takeCounts()
        return buffer.withLock { buffer in
            buffer.add(pushes, in: minute)
            return buffer.totals
        }
    }

    /// Forgets a container that was deleted, so that a later one of the same name begins without counts.
    func forget(_ container: String) async {
        buffer.withLock { $0.remove(container) }
        do {
            try await store.remove(container)
        } catch {
            context.runtime.report("the counts of the container \(container) could not be removed: \(error)")
        }
    }
}

extension TelemetryService: RequestObserver {
    package func observe(_ request: AnsweredRequest) {
        let minute = TelemetryPeriod.minute.number(of: context.runtime.now())
        let isFirst = buffer.withLock { buffer in
            let isFirst = buffer.isEmpty
            buffer.add(request, in: minute) { containerRegistry.isCached($0) }
            return isFirst
        }
        if isFirst { counted.wake() }
    }
}
