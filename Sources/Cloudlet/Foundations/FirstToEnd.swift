/// Runs two operations until one of them ends, and cancels the other.
package func untilFirstEnds(
    _ one: @escaping @Sendable () async throws -> Void,
    or other: @escaping @Sendable () async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask(operation: one)
        group.addTask(operation: other)
        defer { group.cancelAll() }
        try await group.next()
    }
}
