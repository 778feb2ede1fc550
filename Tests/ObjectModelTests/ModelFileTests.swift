import Foundation
import ObjectModel
import Records
import RecordsWire
import Testing

@testable import TestKit

@Suite("Reading data models")
struct ModelFileTests {
    @Test("The current version of the sample is read completely, without warnings")
    func sample() throws {
        let model = try Circus.model()
        #expect(model.name == "Circus 2.xcdatamodel")
        #expect(model.warnings == [])
        #expect(
            model.entities.map(\.name) == [
                "Performer", "Clown", "Acrobat", "Costume", "Act", "Show", "Venue", "Seat", "Ticket", "Tag",
                "Draft", "Page", "Reading",
            ])
        #expect(model.configurations.map(\.name) == ["Cloud", "Local", "Sensors"])
        #expect(model.configurations.map(\.isMirrored) == [true, false, true])
        #expect(model.configurations.map(\.members.count) == [10, 2, 1])
        let used = Set(model.entities.flatMap(\.attributes).map(\.type))
        let unsupported: Set<StoreLayout.AttributeType> = [.objectID, .composite]
        #expect(used == Set(StoreLayout.AttributeType.allCases).subtracting(unsupported))
    }

    @Test("An entity has its parent, its attributes with defaults, and its relationships with their rules")
    func entities() throws {
        let model = try Circus.model()
        let clown = try #require(model.entities.first { $0.name == "Clown" })
        #expect(
            clown
                == .init(
                    "Clown", parent: "Performer",
                    attributes: [
                        .init("bank", .string, isEncrypted: true),
                        .init("hasRedNose", .boolean, isOptional: false, defaultValue: .int64(1)),
                        .init("shoeSize", .integer16, isOptional: false, defaultValue: .int64(52)),
                    ]))
        let show = try #require(model.entities.first { $0.name == "Show" })
        #expect(
            show.attributes == [
                .init("poster", .binaryData, allowsExternalStorage: true),
                .init("soldTickets", .integer64, isOptional: false, defaultValue: .int64(0)),
                // 2026-07-04 12:00 UTC.
                .init(
                    "starts", .date, isOptional: false,
                    defaultValue: .timestamp(Timestamp(milliseconds: 1_783_166_400_000))),
                .init("ticketPrice", .decimal, defaultValue: .double(12.5)),
                .init("title", .string), .init("website", .uri),
            ])
        #expect(
            show.relationships == [
                .init("acts", to: "Act", inverse: "show", isToMany: true, deleteRule: .cascade),
                .init("tickets", to: "Ticket", inverse: "show", isToMany: true, deleteRule: .cascade),
                .init("venue", to: "Venue", inverse: "shows"),
            ])
        let page = try #require(model.entities.first { $0.name == "Page" })
        #expect(page.relationships == [.init("draft", to: "Draft", inverse: "pages", isOptional: false)])
    }

    @Test(
        "The record types of the sample are those of the golden schema", arguments: ["Cloud", "Sensors"])
    func golden(configuration: String) throws {
        let layout = try Circus.model().layout(configuration: configuration)
        try layout.checkMirroring()
        let file = URL.package.appending(path: "Data/Models/Circus-\(configuration).ckdb")
        let golden = try String(contentsOf: file, encoding: .utf8)
        #expect(layout.schema.text == golden)
        #expect(try Schema(text: golden) == layout.schema)
    }

    @Test("A configuration without CloudKit may break the rules of mirrored models, and no other does")
    func mirroredRules() throws {
        let model = try Circus.model()
        #expect(try model.layout(configuration: "Local").declared.map(\.name) == ["Draft", "Page"])
        #expect(
            model.problems(configuration: "Local", isMirrored: true).map(\.description) == [
                "Circus 2.xcdatamodel: Draft.text: it is neither optional nor has a default value"
                    + " - make it optional, or give it a default value",
                "Circus 2.xcdatamodel: Draft.pages: its delete rule is deny, and a deletion on another "
                    + "device cannot be refused - use the delete rule nullify or cascade",
                "Circus 2.xcdatamodel: Page.draft: it is not optional, and objects arrive before those at "
                    + "the other end - make the relationship optional",
            ])
        #expect(model.problems(configuration: "Cloud", isMirrored: true) == [])
        let unknown = #expect(throws: MirroredStoreError.self) { try model.layout(configuration: "Cluod") }
        #expect(unknown?.code == .unknownName)
        #expect(unknown?.nextStep == #"use one of ["Cloud", "Local", "Sensors"]"#)
    }

    @Test("A relationship that leaves the configuration is refused")
    func acrossConfigurations() throws {
        let model = try Circus.model()
        let some = StoreLayout.Configuration("Some", members: ["Show", "Act", "Venue", "Seat", "Tag"])
        let error = #expect(throws: MirroredStoreError.self) {
            try StoreLayout(model.entities, configuration: some)
        }
        #expect(error?.culprit == "Act.performers")
        #expect(error?.reason == "it leads to Performer, but the store has no entity Performer")
    }

    @Test("The parents of a member are in its store as abstract entities")
    func ancestors() throws {
        let list: [StoreLayout.Entity] = [
            .init("Animal", attributes: [.init("name", .string)]),
            .init("Dog", parent: "Animal", attributes: [.init("breed", .string)]),
            .init("Cat", parent: "Animal"),
        ]
        let layout = try StoreLayout(list, configuration: .init("Dogs", members: ["Dog"]))
        #expect(layout.declared.map(\.name) == ["Animal", "Dog"])
        #expect(layout.declared.map(\.isAbstract) == [true, false])
        #expect(
            layout.schema.types["CD_Animal"]?.fields.keys.sorted() == [
                "CD_breed", "CD_breed_ckAsset", "CD_entityName", "CD_moveReceipt", "CD_moveReceipt_ckAsset",
                "CD_name", "CD_name_ckAsset",
            ])
    }

    @Test("Parts that are unknown or have no effect cause a warning that names entity and property")
    func warnings() throws {
        let model = try Circus.model(
            """
            <entity name="A" colour="red"><attribute name="n" optional="YES" attributeType="Integer 16" \
            minValueString="1" derived="perhaps" sparkles="YES"/><method name="m"><entity/></method>
            <relationship name="as" optional="YES" toMany="YES" maxCount="5" destinationEntity="A" \
            inverseName="as"/></entity><planet name="Earth"/>
            """)
        #expect(
            model.warnings == [
                "X.xcdatamodel: A: the XML attribute colour is unknown and ignored",
                "X.xcdatamodel: A.n: stores do not check minValueString",
                "X.xcdatamodel: A.n: the XML attribute sparkles is unknown and ignored",
                "X.xcdatamodel: A.n: derived is perhaps, neither YES nor NO; it counts as NO",
                "X.xcdatamodel: A: the element method is unknown and ignored",
                "X.xcdatamodel: A.as: stores do not check maxCount",
                "X.xcdatamodel: the element planet is unknown and ignored",
            ])
        #expect(try model.layout().declared.map(\.name) == ["A"])
    }

    @Test("Folders without a current version, compiled models and other files are refused with the next step")
    func folders() async throws {
        try await withFolder { folder in
            func error(_ name: String) -> String {
                let url = folder.appendingPathComponent(name)
                do { return try ModelFile(at: url).name } catch let error as MirroredStoreError {
                    return "\(error)".replacing(folder.path + "/", with: "")
                } catch { return "\(error)" }
            }
            func make(_ path: String, _ text: String) throws {
                let url = folder.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try text.write(to: url, atomically: true, encoding: .utf8)
            }
            try make("One.xcdatamodeld/A.xcdatamodel/contents", #"<model><entity name="A"/></model>"#)
            try make("Two.xcdatamodeld/A.xcdatamodel/contents", "<model/>")
            try make("Two.xcdatamodeld/B.xcdatamodel/contents", "<model/>")
            try make("Wrong.xcdatamodeld/A.xcdatamodel/contents", "<model/>")
            let version = "<plist><dict><key>_XCCurrentVersionName</key><string>../A</string></dict></plist>"
            try make("Wrong.xcdatamodeld/.xccurrentversion", version)
            try make("Old.xcdatamodel/elements", "")
            let results = [
                "One.xcdatamodeld", "Two.xcdatamodeld", "Wrong.xcdatamodeld", "Old.xcdatamodel", "A.momd",
                "None.xcdatamodeld", "A.swift",
            ].map(error)
            #expect(
                results == [
                    "A.xcdatamodel",
                    "Two.xcdatamodeld: it has 2 versions and no .xccurrentversion that names one of them - "
                        + "name one of them: A.xcdatamodel, B.xcdatamodel",
                    "Wrong.xcdatamodeld: its .xccurrentversion names ../A, which is no version in the folder"
                        + " - choose the current version again in Xcode",
                    "Old.xcdatamodel: it has no file named contents - check the path; a model of Xcode 3 "
                        + "must be saved by a newer Xcode first",
                    "A.momd: it is compiled - name its source: X.xcdatamodeld",
                    "None.xcdatamodeld: the folder cannot be read - check its path and permissions",
                    "A.swift: it is no data model - name X.xcdatamodeld or X.xcdatamodel",
                ])
        }
    }
}
