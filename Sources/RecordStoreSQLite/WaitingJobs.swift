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
        // The jobs of one payer alone, which is the rule, come out in one piece.
        if turns.count == 1, let all = jobs[turns[0]] {
            let end = all.indices.prefix(count).first { index in
                defer { sum += all[index].weight }
                return sum >= weight && index > 0
            }
            let taken = end ?? min(count, all.count)
            jobs[turns[0]] = taken == all.count ? nil : Array(all[taken...])
            if taken == all.count { turns.removeAll() }
            return all[..<taken].map(\.job)
        }
        while group.count < count, sum < weight || group.isEmpty, let payer = turns.first {
            turns.removeFirst()
            guard var own = jobs[payer] else { continue }
            let next = own.removeFirst()
            jobs[payer] = own.isEmpty ? nil : own
            if !own.isEmpty { turns.append(payer) }
            group.append(next.job)
            sum += next.weight
        }
        return group
    }
}
