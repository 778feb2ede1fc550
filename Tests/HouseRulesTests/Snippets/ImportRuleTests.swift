// Owns the tests of the import rule and of the room table.

import Testing

@Suite("Imports")
struct ImportRuleTests {
    static let forms: [(code: String, modules: [String])] = [
        ("import Records", ["Records"]),
        ("package import Records // why", ["Records"]),
        ("@testable import Records", ["Records"]),
        ("@_spi(Tests) public import Records", ["Records"]),
        ("@_exported public import struct Foundation.Date", ["Foundation"]),
        ("import class NIOCore.EventLoop", ["NIOCore"]),
        ("#if canImport(Glibc)\n    import Glibc\n#endif", ["Glibc"]),
        ("// import Records\nlet s = \"import Records\"\ncall(import, x)", []),
    ]

    @Test("Every form of import is read, and nothing else", arguments: forms)
    func reads(code: String, modules: [String]) {
        #expect(ImportRule.imports(of: snippet(code)).map(\.module) == modules)
    }

    static let obeyed: [(path: String, module: String, isAllowed: Bool)] = [
        ("Sources/Records/A.swift", "Foundation", true),
        ("Sources/Records/A.swift", "RecordsWire", false),
        ("Sources/Records/A.swift", "NIOCore", false),
        ("Sources/RecordStore/Deep/A.swift", "GRDB", false),
        ("Sources/RecordStoreSQLite/A.swift", "GRDB", true),
        ("Sources/CloudService/A.swift", "RecordsWire", false),
        ("Sources/CloudService/A.swift", "Hummingbird", false),
        ("Sources/CloudHTTP/A.swift", "RecordStoreSQLite", false),
        ("Sources/Cloudlet/A.swift", "CloudService", false),
        ("Sources/CloudletServer/A.swift", "Cloudlet", false),
        ("Sources/ClownCentral/Shell/A.swift", "CloudletServer", true),
        ("Sources/ClownCentral/Repository/A.swift", "CloudletServer", false),
        ("Sources/ClownCentral/Repository/A.swift", "Cloudlet", true),
        ("Sources/ClownCentral/Model/A.swift", "Cloudlet", false),
        ("Sources/clown-central/A.swift", "ClownCentral", true),
        ("Tests/RecordsTests/A.swift", "GRDB", true),
    ]

    @Test("Rooms may import what the table says", arguments: obeyed)
    func table(path: String, module: String, isAllowed: Bool) {
        #expect(ImportRule.findings(in: snippet("\nimport \(module)", at: path)).isEmpty == isAllowed)
    }

    @Test("A folder that is no room is noticed")
    func unknownRoom() {
        let findings = ImportRule.findings(in: snippet("", at: "Sources/Attic/A.swift"))
        #expect(findings.map(\.problem) == ["this folder is no room of the house"])
    }

    @Test("No room imports in a circle")
    func arrows() {
        let rooms = Set(roomTable.map(\.folder).filter { !$0.contains("/") })
        var open = Dictionary(
            uniqueKeysWithValues: rooms.map { room in
                (room, roomTable.filter { $0.folder == room }.reduce(Set()) { $0.union($1.mayImport) })
            }
        ).mapValues { $0.intersection(rooms) }
        while let settled = open.first(where: { $0.value.isEmpty })?.key {
            open[settled] = nil
            open = open.mapValues { $0.subtracting([settled]) }
        }
        #expect(open.isEmpty)
    }
}
