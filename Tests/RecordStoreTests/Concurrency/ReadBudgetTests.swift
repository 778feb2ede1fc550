import RecordStore
import Records
import Testing

@Suite("Budgets of reads")
struct ReadBudgetTests {
    @Test("A budget is exceeded after its steps are spent, and stays exceeded")
    func spending() {
        let budget = ReadBudget(steps: 10)
        #expect(budget.spend(4) && budget.spend(5))
        #expect(!budget.isExceeded)
        #expect(!budget.spend(1))
        #expect(budget.isExceeded)
        #expect(!budget.spend(0))
    }

    @Test("A budget is exceeded when its time is over", arguments: [0, 1, Int.max])
    func time(steps: Int) {
        let budget = ReadBudget(isOver: { true })
        #expect(!budget.spend(steps))
        #expect(budget.isExceeded)
    }

    @Test("Decoding spends from the task's budget, if there is one")
    func decoding() throws {
        try ReadBudget.spend(decoding: .max)
        try ReadBudget.$current.withValue(ReadBudget(steps: 100)) {
            try ReadBudget.spend(decoding: 200)
            #expect(throws: ReadBudget.Exceeded.self) { try ReadBudget.spend(decoding: 400) }
        }
    }

    @Test("A query is interrupted when its budget is exceeded, and is answered with a larger one")
    func queries() async throws {
        try await withWorld(.sqlite) { world in
            for start in [0, 200] {
                let notes = (start..<start + 200).map { number in
                    let isOdd = Int64(number % 2)
                    return RecordOperation(
                        .create, recordName: "n\(number)", recordType: "Note",
                        fields: ["isOdd": Field(.int64(isOdd)), "isEven": Field(.int64(1 - isOdd))])
                }
                #expect(try await world.outcome(notes).count == 200)
            }
            // Each index matches half of the notes; no note matches both.
            let isTrue = FieldValue.int64(1)
            let plan = try world.plan(
                [Filter(.field("isOdd"), .equals, isTrue), Filter(.field("isEven"), .equals, isTrue)],
                type: "Note")
            let page = try await ReadBudget.$current.withValue(ReadBudget(steps: 1_000_000)) {
                try await world.store.query(plan)
            }
            #expect(page.runs.isEmpty)
            await #expect(throws: ReadBudget.Exceeded.self) {
                try await ReadBudget.$current.withValue(ReadBudget(steps: 1000)) {
                    try await world.store.query(plan)
                }
            }
            let again = try await world.store.query(plan)
            #expect(again.runs.isEmpty)
        }
    }

    @Test("A search in long texts is interrupted because of their length, even with few records")
    func searches() async throws {
        try await withWorld(.sqlite) { world in
            let long = String(repeating: "beta ", count: 20_000)
            for number in 0..<3 {
                try await world.create(
                    "n\(number)", type: "Note",
                    ["text": Field(.string(long)), "word": Field(.string("alpha"))])
            }
            // Each record contains the word in the other field.
            let plan = try world.plan(
                [Filter(.field("text"), .containsAllTokens, .string("alpha"))], type: "Note")
            await #expect(throws: ReadBudget.Exceeded.self) {
                try await ReadBudget.$current.withValue(ReadBudget(steps: 30_000)) {
                    try await world.store.query(plan)
                }
            }
            let page = try await ReadBudget.$current.withValue(ReadBudget(steps: 1_000_000)) {
                try await world.store.query(plan)
            }
            #expect(page.runs.isEmpty)
        }
    }
}
