import Foundation
import Testing

@testable import CommandShell
@testable import ShellKit
@testable import TestKit

/// A statement of Apple's talk "Using Core Data With CloudKit" (2019), with its evidence.
struct MirroringRow: Sendable, CustomTestStringConvertible {
    enum Evidence: Sendable {
        /// The beginnings of lines that a scene has, in this order.
        case scene(Int, [String])
        /// A test of that title in a file below `Tests`.
        case test(String, title: String)
        /// A sentence on a page about the difference.
        case page(String, text: String)
    }

    let number: Int
    let title: String
    let evidence: Evidence

    init(_ number: Int, _ title: String, _ evidence: Evidence) {
        (self.number, self.title, self.evidence) = (number, title, evidence)
    }

    var testDescription: String { "M\(number): \(title)" }

    private static let store = "MirroredStoreTests/MirroredStoreTests.swift"
    private static let equalGraphs =
        "Two devices converge to equal graphs, and the records have the documented form"
    private static let settings = "MirroredStoreTests/DefaultSettingsTests.swift"
    private static let severalStores = "MirroredStoreTests/SeveralStoresTests.swift"
    private static let routes =
        "A new object is in the store of its entity, and only mirrored stores reach the other device"
    private static let page = "Sources/Cloudlet/Documentation.docc/MirroredStore.md"

    static let all = container + stores + records

    private static let container = [
        MirroringRow(
            1, "All data on every device, and on a new one",
            .scene(55, ["on tablet", "sync", "post list --by title", "expect count 3"])),
        MirroringRow(
            2, "Objects, models and stores match records, schemas and zones",
            .page(page, text: "`MirroredStore` keeps objects with attributes and relationships in SQLite")),
        MirroringRow(
            3, "The schema arises from use",
            .scene(57, ["post add", "sync", "web private/records/lookup", "expect every type = CD_Post"])),
        MirroringRow(
            4, "A template of an app that syncs",
            .test(
                "ClownCentralTests/Template/TemplateTests.swift",
                title: "of the other kind differs in manifest, store, device, sharing, tests and README only"
            )),
        MirroringRow(
            5, "The settings of the app that pushes need",
            .scene(44, ["sync start", #"expect contains "background-modes = remote-notification""#])),
        MirroringRow(
            6, "Two devices change and converge",
            .scene(
                55, ["tag add Rules fun", "tag add Noses fun", "sync --wait", "tag list", "expect count 3"])),
        MirroringRow(
            7, "NSPersistentCloudKitContainer",
            .page("README.md", text: "no `NSPersistentCloudKitContainer`")),
        MirroringRow(8, "A local replica of the private database", .test(store, title: equalGraphs)),
        MirroringRow(
            9, "Reading and writing without the network",
            .scene(55, ["network off", "post edit Balloons --title", "tag add Rules fun"])),
        MirroringRow(
            10, "A loop for scheduling and for errors",
            .test(
                "MirroredStoreTests/RandomLivesTests.swift",
                title: "Graphs that two devices edit at random, offline and with kills, become equal")),
        MirroringRow(
            11, "Changes are exported and imported automatically",
            .test(store, title: "A running store imports what other devices sent, and sends its own changes")
        ),
        MirroringRow(12, "Objects become records and back", .test(store, title: equalGraphs)),
        MirroringRow(
            13, "A zone of its own",
            .scene(55, ["pending", "expect every zone = com.apple.coredata.cloudkit.zone"])),
        MirroringRow(
            14, "Stable snapshots and a history",
            .test(
                store,
                title: "A snapshot stays the same, and the history names authors and changes and expires")),
        MirroringRow(
            15, "A sample with posts, tags and attachments",
            .scene(55, ["post add", "tag list", "post fill", "attach add"])),
    ]

    private static let stores = [
        MirroringRow(
            16, "Drafts with stricter rules in a store of their own",
            .scene(
                56,
                [
                    "post add Title", "expect ok", "draft add Title", "expect error invalidPost",
                    "draft list",
                    "expect none", "post publish Noses", "sync", "post show Noses",
                ])),
        MirroringRow(
            17, "Measured values are coalesced before they are uploaded",
            .scene(
                56,
                [
                    "place add Walk", "expect measured = 3", "place upload Walk", "pending", "expect count 1",
                    "expect edits = 1", "sync", "expect sent = 1",
                ])),
        MirroringRow(
            18, "Entities that stay on the device",
            .scene(56, ["place add Walk", "sync", "on tablet", "sync", "place list Walk", "expect none"])),
        MirroringRow(
            19, "A store has a file, a layout, and perhaps a container",
            .test(severalStores, title: routes)),
        MirroringRow(
            20, "A further store with another container", .test(severalStores, title: routes)),
        MirroringRow(
            21, "A new object goes to the right store", .test(severalStores, title: routes)),
    ]

    private static let records = [
        MirroringRow(
            22, "Names are UUIDs",
            .test(settings, title: "Names of objects and their records are UUIDs unless the app names them")),
        MirroringRow(
            23, "Types and fields have the prefix CD_",
            .scene(57, ["expect every type = CD_Post", #"expect CD_content = "They are red""#])),
        MirroringRow(
            24, "CD_entityName names the entity", .scene(57, ["expect every CD_entityName = Post"])),
        MirroringRow(
            25, "Long values are assets in a second field",
            .scene(57, ["post fill Rules 800000", "expect CD_content_ckAsset[2] = 800000"])),
        MirroringRow(
            26, "The limit is about 750 KB",
            .test(
                settings,
                title: "A value above 750,000 bytes is an asset, and so are the longest of a record above "
                    + "1,000,000")),
        MirroringRow(
            27, "A reader looks in both fields",
            .scene(
                57,
                [
                    #"expect CD_content = "They are red""#, "expect CD_content_ckAsset = none",
                    "expect CD_content[2] = none", "expect CD_content_ckAsset ~",
                ])),
        MirroringRow(
            28, "Values may be long",
            .test(
                "ClownCentralTests/Posts/PostStoreTests.swift",
                title: "A value beyond a limit is refused, and one at the limit is not")),
        MirroringRow(
            29, "The many side has the name of the other record in a field",
            .scene(57, ["attach add", "expect CD_post = $post"])),
        MirroringRow(30, "References are not used", .scene(57, ["attach add", "expect CD_post = $post"])),
        MirroringRow(
            31, "A pair is a record with entities, relationships and names",
            .scene(
                57,
                [
                    "expect CD_entityNames = Post:Tag", "expect CD_relationships = tags:posts",
                    #"expect CD_recordNames = "$post:$tag""#,
                ])),
        MirroringRow(
            32, "A pair has names, which need a zone",
            .scene(57, [#"expect CD_recordNames = "$post:$tag""#, "expect error", "expect CD_name = party"])),
        MirroringRow(
            33, "Other clients read and write these records",
            .scene(57, ["web private/records/modify", "sync", "post show", #"expect tags = "party, web""#])),
    ]
}

@Suite("The statements of the talk about mirroring, each with its evidence")
struct MirroringCoverageTests {
    @Test(
        "Every statement is shown by a scene or a test, or a page says what differs",
        arguments: MirroringRow.all)
    func shown(row: MirroringRow) throws {
        switch row.evidence {
        case .scene(let number, let texts):
            let missing = PracticeRow.missing(texts, in: try CoverageTests.lines(of: number))
            #expect(missing == nil, "scene \(number) has no such line in this place: \(missing ?? "")")
        case .test(let file, let title):
            let text = try String(contentsOf: URL.package.appending(path: "Tests/\(file)"), encoding: .utf8)
            #expect(text.contains("\"\(title)\""))
        case .page(let file, let sentence):
            let text = try String(contentsOf: URL.package.appending(path: file), encoding: .utf8)
            #expect(text.contains(sentence))
        }
    }

    @Test("The numbers of the statements are complete")
    func numbers() {
        #expect(MirroringRow.all.map(\.number) == Array(1...33))
    }
}
