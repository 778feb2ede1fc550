/// Jobs that wait for the writer of a database, shared among those who ask for them.
///
/// Payers take turns, one job each, in the order in which they came; the jobs of one payer keep their order.
/// So whoever sends much waits for their own jobs, and others wait for one of them.
struct WaitingJobs<Job: Sendable>: Sendable {
    private var jobs: [String: [(job: Job, weight: Int)]] = [:]
    /// The payers who have a job, the one whose turn is next first.
    private var turns: [String] = []

    var isEmpty: Bool { turns.isEmpty }

    mutating func append(_ job: Job, of payer: String, weight: Int) {
        if jobs[payer] == nil { turns.append(payer) }
        jobs[payer, default: []].append((job, weight))
    }

    /// Takes jobs out until there are `count`, or they weigh `weight` together; at least one if there is any.
    mutating func take(_ count: Int, weight: Int) -> [Job] {
        var group: [Job] = []
        var sum = 0
        while group.count < count, sum < weight || group.isEmpty, let payer = turns.first {
            turns.removeFirst()
            guard let next = jobs[payer]?.removeFirst() else { continue }
            if jobs[payer]?.isEmpty == true { jobs[payer] = nil } else { turns.append(payer) }
            group.append(next.job)
            sum += next.weight
        }
        return group
    }

    /// Takes back the end of a group for which there was no time, in its order.
    ///
    /// Payers of whom the group did no job come first, as before; those in `served` come after everybody
    /// else who waits.
    mutating func putBack(_ rest: [(job: Job, payer: String, weight: Int)], served: Set<String>) {
        for (job, payer, weight) in rest.reversed() {
            if jobs[payer] == nil { turns.append(payer) }
            jobs[payer, default: []].insert((job, weight), at: 0)
        }
        var seen: Set<String> = []
        let first = rest.map(\.payer).filter { !served.contains($0) && seen.insert($0).inserted }
        let last = turns.filter { served.contains($0) }
        turns.removeAll { seen.contains($0) || served.contains($0) }
        turns = first + turns + last
    }
}
