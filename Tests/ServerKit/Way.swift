import CloudletServer
import Foundation
import Testing

@testable import TestKit

/// How a scenario's requests travel.
enum Way: String, CaseIterable, CustomTestStringConvertible, Sendable {
    /// Handed to the router of a server in this process.
    case loopback
    /// Through a socket, as bytes.
    case socket

    var testDescription: String { rawValue }
}

/// Plays a scenario over a socket and again in process, each time on a server of its own.
///
/// Both must have given the same bytes: with the seed and the clock fixed, the way must not show.
func serving(
    _ configure: @Sendable (inout ServerConfiguration) -> Void = { _ in },
    _ scenario: (ServerWorld) async throws -> Void
) async throws {
    let lines = try await played(.socket, configure, scenario)
    if !Task.isCancelled { expectSame(lines, try await played(.loopback, configure, scenario)) }
}

/// Plays a scenario once, without comparing: for those whose requests overlap or whose answers hold
/// addresses.
@discardableResult
func played(
    _ way: Way, _ configure: @Sendable (inout ServerConfiguration) -> Void = { _ in },
    _ scenario: (ServerWorld) async throws -> Void
) async throws -> [String] {
    let world = try await ServerWorld.start(way, configure)
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
