import Cloudlet
import CloudletTesting
import Foundation
import MirroredStore
import Testing

@testable import TestKit

@Suite("Events and history for an app", .timeLimit(.minutes(1)))
struct ObservationTests {
    private func withPair(
        _ body: (_ phone: MirroredDevice, _ tablet: MirroredDevice) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                let phone = try await MirroredDevice("phone", of: "alice", in: world, folder: folder)
                let tablet = try await MirroredDevice("tablet", of: "alice", in: world, folder: folder)
                try await body(phone, tablet)
            }
        }
    }

    @Test("Linking and unlinking known objects reach the other device's history and observers")
    func pairs() async throws {
        try await withPair { phone, tablet in
            let post = try await phone.insert("Post")
            let tag = try await phone.insert("Tag")
            try await phone.store.mirror()
            try await tablet.store.mirror()
            for isLinked in [true, false] {
                let before = try await tablet.store.history().last?.token ?? 0
                var seen = tablet.store.observe { try $0.related(tag, "posts").map(\.id) }.makeAsyncIterator()
                let first = try await seen.next()
                try await phone.store.write { objects in
                    if isLinked {
                        try objects.link(post, "tags", tag)
                    } else {
                        try objects.unlink(post, "tags", tag)
                    }
                }
                try await phone.store.mirror()
                try await tablet.store.mirror()
                let history = try await tablet.store.history(after: before)
                #expect(history.map(\.author) == ["import"])
                #expect(history.first?.changes.map(\.id) == [post, tag])
                #expect(history.first?.changes.map(\.kind) == [.update, .update])
                // Without a transaction the observer would receive nothing, and the test would hang.
                guard !history.isEmpty else { continue }
                let next = try await seen.next()
                #expect(first == (isLinked ? [] : [post]))
                #expect(next == (isLinked ? [post] : []))
            }
            // A device that fetches the pair that it has sent adds no transaction.
            let token = try await phone.store.history().last?.token ?? 0
            try await phone.store.mirror()
            #expect(try await phone.store.history(after: token) == [])
        }
    }

    @Test("A running store records its setup and its exports, and an observer of events sees them")
    func events() async throws {
        try await withPair { phone, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await phone.store.run() }
                _ = try await phone.insert("Post")
                for try await events in phone.store.observeEvents() {
                    let kinds = Set(events.filter(\.succeeded).map(\.kind))
                    if kinds.isSuperset(of: [.setup, .export]) { break }
                }
                phone.link.isCut = true
                _ = try await phone.insert("Post")
                for try await events in phone.store.observeEvents() {
                    if events.contains(where: { $0.kind == .export && $0.error != nil }) { break }
                }
                group.cancelAll()
            }
            let open = try await phone.store.events().filter { $0.endDate == nil }
            #expect(open == [])
        }
    }
}
