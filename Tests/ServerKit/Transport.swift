import CloudletServer
import Foundation
import Testing

@testable import TestKit

/// The transport of a scenario's requests.
enum Transport: String, CaseIterable, CustomTestStringConvertible, Sendable {
    /// Requests are passed to the router in this process.
    case loopback
    /// Requests are sent through a socket.
    case socket

    var testDescription: String { rawValue }
}

/// Runs a scenario over a socket and again in process, each time with a new server.
///
/// Expects the same answers, byte for byte, since seed and clock are fixed.
func serving(
    _ configure: @Sendable (inout ServerConfiguration) -> Void = { _ in },
    _ scenario: (ServerWorld) async throws -> Void
) async throws {
    let lines = try await withServer(.socket, configure, scenario)
    if !Task.isCancelled { expectSame(lines, try await withServer(.loopback, configure, scenario)) }
}

/// Runs a scenario once and returns its transcript. Use it for scenarios in which two runs would differ,
/// because requests overlap or answers contain addresses.
@discardableResult
func withServer(
    _ transport: Transport, _ configure: @Sendable (inout ServerConfiguration) -> Void = { _ in },
    _ scenario: (ServerWorld) async throws -> Void
) async throws -> [String] {
    let world = try await ServerWorld.start(transport, configure)
    do {
        try await scenario(world)
    } catch {
        await world.stop()
        throw error
    }
    await world.stop()
    return world.transcript
}

private func expectSame(_ some: [String], _ others: [String]) {
    #expect(some.count == others.count)
    for (one, other) in zip(some, others) where one != other {
        #expect(one == other)
        return
    }
}
