import Foundation
import ObjectModel
import Records
import Testing

@testable import TestKit

@Suite("Hostile data models")
struct HostileModelTests {
    private func refusal(_ model: () throws -> ModelFile) -> MirroredStoreError? {
        #expect(throws: MirroredStoreError.self) { try model() }
    }

    private func refusal(contents: String) -> MirroredStoreError? {
        refusal { try ModelFile(contents: Data(contents.utf8), name: "X.xcdatamodel") }
    }

    @Test("Each limit admits its value and refuses one more")
    func limits() throws {
        var limits = ModelFile.Limits()
        limits.entities = 2
        limits.properties = 3
        limits.configurations = 1
        limits.members = 2
        limits.depth = 4
        let cases: [(fits: String, exceeds: String, reason: String)] = [
            (
                #"<entity name="A"/><entity name="B"/>"#,
                #"<entity name="A"/><entity name="B"/><entity name="C"/>"#, "it has more than 2 entities"
            ),
            (
                "<entity name='A'>\(attributes(3))</entity>", "<entity name='A'>\(attributes(4))</entity>",
                "it has more than 3 attributes and relationships"
            ),
            (
                #"<configuration name="A"/>"#, #"<configuration name="A"/><configuration name="B"/>"#,
                "it has more than 1 configurations"
            ),
            (members(2), members(3), "it has more than 2 member entities"),
            (
                "<elements><a><b/></a></elements>", "<elements><a><b><c/></b></a></elements>",
                "its elements nest deeper than 4"
            ),
        ]
        for (fits, exceeds, reason) in cases {
            _ = try Circus.model(fits, limits: limits)
            let error = refusal { try Circus.model(exceeds, limits: limits) }
            #expect(error?.reason == reason)
            #expect(error?.culprit == "X.xcdatamodel")
        }
    }

    private func attributes(_ count: Int) -> String {
        (0..<count).map { "<attribute name='a\($0)' attributeType='String'/>" }.joined()
    }

    private func members(_ count: Int) -> String {
        let members = String(repeating: "<memberEntity name='A'/>", count: count)
        return "<configuration name='A'>\(members)</configuration>"
    }

    @Test("Document types, entities and other encodings are refused before the XML is parsed")
    func entities() {
        let laughs = """
            <?xml version="1.0"?><!DOCTYPE model [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>
            <model><entity name="&b;"/></model>
            """
        let outside = """
            <?xml version="1.0"?><!doctype model SYSTEM "file:///etc/passwd"><model/>
            """
        let encoded = #"<?xml version="1.0" encoding="UTF-7"?><model/>"#
        #expect(
            [laughs, outside, encoded].map { refusal(contents: $0)?.reason } == [
                "it has a document type declaration, which no data model needs",
                "it has a document type declaration, which no data model needs",
                "it declares the encoding UTF-7",
            ])
        let wide = Data("<model/>".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        let error = refusal { try ModelFile(contents: wide, name: "X.xcdatamodel") }
        #expect(error?.reason == "it is not in UTF-8")
    }

    @Test("Files that are no model, or are truncated, are refused")
    func malformed() {
        let texts = [
            "", "<model>", "<model><entity", "<plist/>", "hello", "<model><entity name='A'></model>",
        ]
        for text in texts { #expect(refusal(contents: text)?.code == .incompatibleModel, "\(text)") }
        #expect(refusal(contents: "<plist/>")?.reason == "its root element is plist, not model")
    }

    @Test("A file above the limit and a pipe are not read")
    func files() async throws {
        try await withFolder { folder in
            let model = folder.appendingPathComponent("X.xcdatamodel")
            try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
            let contents = model.appendingPathComponent("contents")
            try Data("<model/>".utf8).write(to: contents)
            var limits = ModelFile.Limits()
            limits.bytes = 8
            _ = try ModelFile(at: model, limits: limits)
            limits.bytes = 7
            let large = refusal { try ModelFile(at: model, limits: limits) }
            #expect(large?.reason == "it has more than 7 bytes")
            contents.remove()
            #expect(mkfifo(contents.path, 0o600) == 0)
            #expect(refusal { try ModelFile(at: model) }?.reason == "it cannot be read as a file")
        }
    }

    @Test("Missing names, unknown types and wrong defaults name file, entity and attribute")
    func properties() throws {
        let model = try Circus.model(
            """
            <entity><attribute name="n" attributeType="Integer 128"/></entity>
            <entity name="A"><attribute attributeType="String"/>\
            <attribute name="d" attributeType="Date" defaultDateTimeInterval="1e300"/>\
            <attribute name="i" attributeType="Integer 16" defaultValueString="40000"/>\
            <attribute name="b" attributeType="Boolean" defaultValueString="maybe"/>\
            <relationship name="r" deletionRule="Explode"/><relationship name="s"/></entity>
            """)
        let problems = model.problems(configuration: nil, isMirrored: true)
        #expect(
            problems.map { "\($0.culprit): \($0.reason)" } == [
                "X.xcdatamodel: an entity: it has no name",
                "X.xcdatamodel: .n: its type Integer 128 is unknown",
                "X.xcdatamodel: A: an attribute: it has no name",
                "X.xcdatamodel: A.d: its default value 1e300 is not of the type Date",
                "X.xcdatamodel: A.i: its default value 40000 is not of the type Integer 16",
                "X.xcdatamodel: A.b: its default value maybe is not of the type Boolean",
                "X.xcdatamodel: A.r: its delete rule Explode is unknown",
                "X.xcdatamodel: A.s: it has no destinationEntity",
            ])
    }

    @Test("Reserved names, missing inverses and undefined types are refused from a file, too")
    func rules() throws {
        let model = try Circus.model(
            """
            <entity name="A"><attribute name="entityName" optional="YES" attributeType="String"/>\
            <attribute name="moveReceipt" optional="YES" attributeType="Binary"/>\
            <attribute name="u" optional="YES"/><relationship name="b" optional="YES" destinationEntity="A"/>\
            <uniquenessConstraints><uniquenessConstraint><constraint value="u"/></uniquenessConstraint>\
            </uniquenessConstraints></entity>
            """)
        #expect(
            model.problems(configuration: nil, isMirrored: true).map(\.culprit) == [
                "X.xcdatamodel: A.entityName", "X.xcdatamodel: A.moveReceipt", "X.xcdatamodel: A.u",
                "X.xcdatamodel: A", "X.xcdatamodel: A.b",
            ])
    }

    @Test("Cyclic inheritance, or inheritance over too many generations, ends with an error")
    func inheritance() throws {
        let circle = (0..<1_000).map { "<entity name='E\($0)' parentEntity='E\(($0 + 1) % 1_000)'/>" }
        let line = (0..<65).map { "<entity name='E\($0)'\($0 == 0 ? "" : " parentEntity='E\($0 - 1)'")/>" }
        for text in [circle, line] {
            let problems = try Circus.model(text.joined()).problems(configuration: nil, isMirrored: false)
            #expect(problems.first?.reason == "it inherits over more than 64 generations")
        }
        let own = try Circus.model("<entity name='A' parentEntity='A'/>")
        let reasons = own.problems(configuration: nil, isMirrored: false).map(\.reason)
        #expect(reasons == ["it inherits from itself, by way of A"])
        // 999 entities that inherit 9,000 attributes would have 9 million attributes.
        let heirs = (0..<999).map { "<entity name='E\($0)' parentEntity='A'/>" }.joined()
        let wide = try Circus.model("<entity name='A'>\(attributes(9_000))</entity>" + heirs)
        #expect(
            wide.problems(configuration: nil, isMirrored: false).map(\.reason) == [
                "its entities have more than 200000 properties with inherited ones"
            ])
    }

    @Test("A damaged sample is read or refused, and never crashes the reader")
    func damaged() throws {
        let file = Circus.folder.appending(path: "Circus 2.xcdatamodel/contents")
        let whole = try Data(contentsOf: file)
        var numbers = SeededNumbers(seed: 21)
        for _ in 0..<400 {
            var data = whole
            for _ in 0..<Int.random(in: 1...8, using: &numbers) {
                let index = Int.random(in: 0..<data.count, using: &numbers)
                switch Int.random(in: 0..<3, using: &numbers) {
                case 0: data[index] = UInt8.random(in: 0...255, using: &numbers)
                case 1: data.removeSubrange(index..<min(index + 40, data.count))
                default: data.insert(contentsOf: data[max(0, index - 40)..<index], at: index)
                }
            }
            do {
                let model = try ModelFile(contents: data, name: "X.xcdatamodel")
                for name in [nil, "Cloud", "Local"] {
                    guard model.problems(configuration: name, isMirrored: true).isEmpty else { continue }
                    #expect(try model.layout(configuration: name).schema.types.isEmpty == false)
                }
            } catch let error as MirroredStoreError {
                #expect(!error.nextStep.isEmpty)
            }
        }
    }
}
