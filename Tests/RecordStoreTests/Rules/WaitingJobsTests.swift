import Testing

@testable import RecordStore

@Suite("Jobs that wait for a writer")
struct WaitingJobsTests {
    private func waiting(_ jobs: [(payer: String, weight: Int)]) -> WaitingJobs<String> {
        var waiting = WaitingJobs<String>()
        for (number, job) in jobs.enumerated() {
            waiting.append("\(job.payer)\(number)", of: job.payer, weight: job.weight)
        }
        return waiting
    }

    @Test("Payers take turns, and the jobs of one payer keep their order")
    func turns() {
        var jobs = waiting([("m", 1), ("m", 1), ("m", 1), ("b", 1), ("c", 1), ("b", 1)])
        #expect(jobs.take(10, weight: 100) == ["m0", "b3", "c4", "m1", "b5", "m2"])
        #expect(jobs.isEmpty)
        #expect(jobs.take(10, weight: 100) == [])
    }

    @Test("A group ends with the job that exceeds the weight or reaches the maximum number; the rest waits")
    func groups() {
        var jobs = waiting([("m", 90), ("m", 90), ("m", 90), ("b", 1)])
        #expect(jobs.take(10, weight: 50) == ["m0"])
        #expect(jobs.take(10, weight: 50) == ["b3", "m1"])
        #expect(jobs.take(10, weight: 50) == ["m2"])
        #expect(jobs.isEmpty)
        var many = waiting(Array(repeating: ("m", 1), count: 5))
        #expect(many.take(2, weight: 50) == ["m0", "m1"])
        many.append("b", of: "b", weight: 1)
        #expect(many.take(2, weight: 50) == ["m2", "b"])
        #expect(many.take(9, weight: 2) == ["m3", "m4"])
        #expect(many.isEmpty)
    }

    @Test("A group that begins with a light job has no heavy one, and the kind of the next group is known")
    func heavy() {
        let heavy = WriteGroup.heavyWeight
        var jobs = waiting([("a", 1), ("b", heavy), ("c", heavy - 1), ("a", 1)])
        #expect(jobs.isNextHeavy == false)
        #expect(jobs.take(10, weight: 2 * heavy) == ["a0"])
        #expect(jobs.isNextHeavy == true)
        jobs.append("d4", of: "d", weight: 1)
        #expect(jobs.isNextHeavy == true)
        #expect(jobs.take(10, weight: 3 * heavy) == ["b1", "c2", "a3", "d4"])
        #expect(jobs.isNextHeavy == nil)
    }

    @Test("Jobs that a group had no time for come after the jobs of other waiting payers")
    func putBack() {
        var jobs = waiting([("m", 1), ("m", 1), ("b", 1), ("m", 1), ("c", 1), ("d", 1)])
        #expect(jobs.take(5, weight: 100) == ["m0", "b2", "c4", "d5", "m1"])
        jobs.append("e6", of: "e", weight: 1)
        // The group had time for the first two jobs.
        let rest = [("c4", "c"), ("d5", "d"), ("m1", "m")].map { (job: $0.0, payer: $0.1, weight: 1) }
        jobs.putBack(rest, served: ["m", "b"])
        #expect(jobs.take(10, weight: 100) == ["c4", "d5", "e6", "m1", "m3"])
        #expect(jobs.isEmpty)
    }
}
