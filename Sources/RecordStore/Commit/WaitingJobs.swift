/// The queue of jobs for the writer of a database, fair between payers: the people on whose behalf the jobs
/// run.
///
/// Payers take turns with one job each, in the order of their arrival; the jobs of one payer keep their
/// order. So a person who sends many jobs waits for these, while others wait for one of them.
package struct WaitingJobs<Job: Sendable>: Sendable {
    private var jobs: [String: [(job: Job, weight: Int)]] = [:]
    /// The payers with waiting jobs, the next one first.
    private var turns: [String] = []

    package init() {}

    package var isEmpty: Bool { turns.isEmpty }

    package var count: Int { jobs.values.reduce(0) { $0 + $1.count } }

    /// Whether the next job is heavy; nil if none waits. Jobs that are appended do not change it.
    package var isNextHeavy: Bool? {
        turns.first.flatMap { jobs[$0]?.first }.map { $0.weight >= WriteGroup.heavyWeight }
    }

    package mutating func append(_ job: Job, of payer: String, weight: Int) {
        if jobs[payer] == nil { turns.append(payer) }
        jobs[payer, default: []].append((job, weight))
    }

    /// Removes and returns the next jobs: at most `count`, ending with the one that brings their weight to
    /// `weight`. At least one if any is waiting. A group that begins with a light job ends before the first
    /// heavy one, so that its jobs do not wait for that.
    package mutating func take(_ count: Int, weight: Int) -> [Job] {
        var group: [Job] = []
        var sum = 0
        let isHeavy = isNextHeavy
        while group.count < count, sum < weight || group.isEmpty, isHeavy == true || isNextHeavy == isHeavy,
            let payer = turns.first
        {
            turns.removeFirst()
            guard let next = jobs[payer]?.removeFirst() else { continue }
            if jobs[payer]?.isEmpty == true { jobs[payer] = nil } else { turns.append(payer) }
            group.append(next.job)
            sum += next.weight
        }
        return group
    }

    /// Removes and returns all jobs.
    package mutating func removeAll() -> [Job] {
        let all = turns.flatMap { (jobs[$0] ?? []).map(\.job) }
        self = WaitingJobs()
        return all
    }

    /// Puts back the jobs at the end of a group for which there was no time, in their order.
    ///
    /// Payers none of whose jobs ran come first, as before; those in `served` come after all others.
    package mutating func putBack(_ rest: [(job: Job, payer: String, weight: Int)], served: Set<String>) {
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
