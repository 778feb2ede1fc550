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

    @Test("A byte of a text costs one step to split into words, and ten outside ASCII")
    func splitting() throws {
        try ReadBudget.spend(splitting: "é")
        for (text, cost) in [("", 0), ("a b", 3), ("aé", 21), ("日本", 60)] {
            let budget = ReadBudget(steps: cost + 1)
            try ReadBudget.$current.withValue(budget) { try ReadBudget.spend(splitting: text) }
            #expect(!budget.spend(1), "\(text)")
            #expect(throws: ReadBudget.Exceeded.self) {
                try ReadBudget.$current.withValue(ReadBudget(steps: cost)) {
                    try ReadBudget.spend(splitting: text)
                }
            }
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

    @Test("A search in texts outside ASCII costs more than one in ASCII of the same length")
    func foldedSearches() async throws {
        for (word, isInterrupted) in [("beta gamma ", false), ("été ", true)] {
            try await withWorld(.sqlite) { world in
                let text = String(repeating: word, count: 15_000 / word.utf8.count)
                try await world.create(
                    "n", type: "Note", ["text": Field(.string(text)), "word": Field(.string("alpha"))])
                // The record contains the word in the other field.
                let plan = try world.plan(
                    [Filter(.field("text"), .containsAllTokens, .string("alpha"))], type: "Note")
                let read = {
                    try await ReadBudget.$current.withValue(ReadBudget(steps: 30_000)) {
                        try await world.store.query(plan)
                    }
                }
                if isInterrupted {
                    await #expect(throws: ReadBudget.Exceeded.self) { try await read() }
                } else {
                    let page = try await read()
                    #expect(page.runs.isEmpty)
                }
            }
        }
    }
}
