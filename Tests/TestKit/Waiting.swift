/// Waits until a condition is true. The test's time limit ends the wait if that never happens.
func until(
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
    while !(try await condition()) {
        try Task.checkCancellation()
        await Task.yield()
    }
}
