/// The maximum number of files that one operation transfers at the same time.
private let filesInFlight = 4

/// Runs `work` for each item, and returns the results in the order of the items. The smaller one of `most`
/// and `filesInFlight` limits how many run at the same time.
func inParallel<Item: Sendable, Value: Sendable>(
    _ items: [Item], atMost most: Int = .max, _ work: @escaping @Sendable (Item) async throws -> Value
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
        for _ in 0..<max(1, min(filesInFlight, most)) { start() }
        for await (place, result) in group {
            results[place] = result
            start()
        }
        return results.map { $0 ?? .failure(CKError(failure: CancellationError())) }
    }
}
