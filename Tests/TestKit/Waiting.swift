/// Waits until another task has made a condition true. The test's time limit ends a wait in vain.
func until(
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
    while !(try await condition()) {
        try Task.checkCancellation()
        await Task.yield()
    }
}
