/// How many pieces of work run at the same time for one operation: each moves a file.
private let filesInFlight = 4

/// The results of the work in the order of the items, a few at a time.
func inParallel<Item: Sendable, Value: Sendable>(
    _ items: [Item], _ work: @escaping @Sendable (Item) async throws -> Value
) async -> [Result<Value, CKError>] {
    await withTaskGroup(of: (Int, Result<Value, CKError>).self) { group in
        var results: [Result<Value, CKError>?] = Array(repeating: nil, count: items.count)
        var next = 0
        func start() {
            guard next < items.count else { return }
            let (place, item) = (next, items[next])
            next += 1
            group.addTask {
                do {
                    return (place, .success(try await work(item)))
                } catch {
                    return (place, .failure(CKError(failure: error)))
                }
            }
        }
        for _ in 0..<filesInFlight { start() }
        for await (place, result) in group {
            results[place] = result
            start()
        }
        return results.map { $0 ?? .failure(CKError(failure: CancellationError())) }
    }
}
