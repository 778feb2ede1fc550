import Foundation
import GRDB
import SQLiteSupport
import Testing

@testable import RecordStoreSQLite
@testable import TestKit

@Suite("The cached statements of queries")
struct StatementShapesTests {
    @Test("Texts that find no room are cached after a number of requests, in place of the others")
    func renewal() {
        let shapes = StatementShapes(limit: 100, patience: 4)
        let (old, new) = (String(repeating: "a", count: 60), String(repeating: "b", count: 60))
        #expect(shapes.mayKeep(old))
        var looks = 0
        for _ in 0..<3 {
            let shape = shapes.shape(of: new) {
                looks += 1
                return true
            }
            #expect(!shape.isKept && shape.sorts)
            #expect(shapes.mayKeep(old))
        }
        #expect(shapes.generation == 0)
        for _ in 0..<3 {
            let shape = shapes.shape(of: new) {
                looks += 1
                return true
            }
            #expect(shape.isKept && shape.sorts)
        }
        #expect(looks == 4)
        #expect(shapes.generation == 1)
        #expect(!shapes.mayKeep(old))
    }

    @Test("A connection drops its cached statements when the texts are forgotten", arguments: [true, false])
    func dropped(isOnDisk: Bool) async throws {
        try await withFolder { folder in
            let connections = try Connections(
                file: folder.appendingPathComponent("test.sqlite"),
                durability: isOnDisk ? .full : .none, readers: 1)
            func statement() throws -> Statement {
                try connections.read { try $0.cachedStatement(sql: "SELECT 1") }
            }
            // A database with open statements cannot be closed.
            do {
                let (first, second) = (try statement(), try statement())
                #expect(first === second)
                let generation = connections.shapes.generation
                var number = 0
                while connections.shapes.generation == generation {
                    number += 1
                    _ = connections.shapes.mayKeep(String(repeating: "x", count: 2000) + "\(number)")
                }
                let third = try statement()
                #expect(third !== first)
            }
            try connections.close()
        }
    }
}
