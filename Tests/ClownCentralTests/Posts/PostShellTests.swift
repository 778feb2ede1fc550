import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("Posts at the shell")
struct PostShellTests {
    private static let zone = #""zoneID":{"zoneName":"com.apple.coredata.cloudkit.zone"}"#

    /// Runs lines that must succeed.
    private func type(_ world: ShellWorld, _ lines: String...) async {
        for line in lines {
            let shellError = await world.runner.run(line).shellError
            #expect(shellError == nil, "\(line)")
        }
    }

    @Test("Edits that two devices make offline converge, their tags of one name are one, places stay local")
    func converge() async throws {
        try await ShellWorld.run { world in
            await type(
                world, "as alice", "on phone", "post add Balloons red", "post add Noses blue", "sync",
                "on tablet", "sync", "network off", "post edit Balloons --title 'Red balloons'",
                "tag add Noses party", "place add Noses 1,2", "on phone", "network off",
                "post edit Balloons --text green", "tag add Balloons Party", "network on", "sync",
                "on tablet", "network on", "sync --wait", "on phone", "sync")
            var lists: [String] = []
            for device in ["phone", "tablet"] {
                await type(world, "on \(device)")
                lists.append(await world.data("post list"))
                let text = await world.data("post show Red")
                #expect(text.contains("green"))
                let tags = await world.data("tag list").split(separator: "\n")
                #expect(tags.count == 2)
                #expect(tags.last?.hasSuffix("2") == true)
            }
            #expect(lists[0] == lists[1])
            #expect(lists[0].contains("Red balloons"))
            let here = await world.data("place list Noses")
            await type(world, "on phone")
            let there = await world.data("place list Noses")
            #expect(here.contains("1"))
            #expect(there.isEmpty)
        }
    }

    @Test("A long text and a long attachment are files on the server, short ones are fields")
    func files() async throws {
        try await ShellWorld.run(isJSON: true) { world in
            let file = world.folder.appendingPathComponent("long.bin")
            try Data(repeating: 7, count: 800_001).write(to: file)
            await type(
                world, "as alice", "post add Short red", "post fill Long 800000",
                "attach add Short \(file.path) Data/Seeds/photos/02-balloons.png", "sync")
            func fields(of type: String) async -> String {
                await world.data(
                    "web private/records/query '{\(Self.zone),\"query\":{\"recordType\":\"\(type)\"}}'")
            }
            let posts = await fields(of: "CD_Post")
            #expect(posts.contains(#""CD_content":"red""#))
            #expect(posts.contains(#""CD_content_ckAsset":800000"#))
            let contents = await fields(of: "CD_FileContent")
            #expect(contents.contains(#""CD_data_ckAsset":800001"#))
            let attachments = await fields(of: "CD_Attachment")
            #expect(attachments.contains(#""CD_name":"long.bin""#))
            await type(
                world, "on tablet", "sync", "attach save Short long \(world.folder.path)/back.bin")
            let back = try Data(contentsOf: world.folder.appendingPathComponent("back.bin"))
            #expect(back == Data(repeating: 7, count: 800_001))
        }
    }

    @Test("The automatic sync takes posts to a device that a push wakes")
    func live() async throws {
        try await ShellWorld.run { world in
            await type(
                world, "as alice", "on phone", "sync start", "on tablet", "post add Balloons red", "sync",
                "on phone")
            let list = await world.runner.run(
                "watch 'post list' --times 100000 --every 1 --until 'count = 1'")
            #expect(list.shellError == nil)
            let written = await world.runner.run("post add Noses blue")
            #expect(written.rendering.messages.hasSuffix("; the automatic sync sends it\n"))
            let pending = await world.runner.run("watch pending --times 100000 --every 1 --until none")
            #expect(pending.shellError == nil)
            await type(world, "sync stop")
        }
    }

    @Test(
        "An error about posts has its code, and a next step unless the message contains it",
        arguments: [
            ("post show Nothing", "notFound", "post list"),
            ("tag remove Balloons fun", "notFound", "tag list"),
            ("post list --tag fun", "notFound", "tag list"),
            ("attach save Balloons dog /tmp/x", "notFound", "attach list Balloons"),
            ("post publish Nothing", "notFound", "draft list"), ("post edit Balloons", "usage", nil),
            ("place upload Balloons", "noPlaces", "place add POST LAT,LON"),
            ("attach add Balloons /no/file", "badFile", "name a file; Tab completes file names"),
            ("attach add Balloons /tmp", "badFile", "name a file"),
            ("draft add Noses ' '", "invalidPost", "give one"), ("post add ' '", "usage", nil),
            ("post add A text --from /no/file", "usage", nil), ("place add Balloons 100,0", "usage", nil),
        ] as [(String, String, String?)]
    )
    func errors(line: String, code: String, remedy: String?) async throws {
        try await ShellWorld.run { world in
            await type(world, "as alice", "post add Balloons red")
            let shellError = await world.runner.run(line).shellError
            #expect(shellError?.code == code)
            #expect(remedy == nil || shellError?.remedy == remedy)
        }
    }

    @Test("Tab completes the names of posts, drafts, tags and attachments")
    func names() async throws {
        try await ShellWorld.run { world in
            await type(
                world, "as alice", "post add Balloons red --tags party", "draft add Noses blue",
                "attach add Balloons Data/Seeds/photos/02-balloons.png")
            let posts = await world.names(of: .post)
            let tags = await world.names(of: .tag)
            #expect(posts == [Candidate("Balloons", "party")])
            #expect(await world.names(of: .draft).map(\.text) == ["Noses"])
            #expect(tags == [Candidate("party", "1 post")])
            let files = await world.names(of: .attachment, after: ["Balloons"])
            #expect(files.map(\.text) == ["02-balloons.png"])
        }
    }

    @Test(
        "A record that is not a post is named and hides no other; `sync reset --forget` deletes all posts"
    )
    func foreign() async throws {
        try await ShellWorld.run { world in
            let record =
                #"{"recordName":"x","recordType":"CD_Post","fields":{"CD_title":{"value":"Noses"}}}"#
            await type(
                world, "as alice", "post add Balloons red", "draft add Noses blue", "sync",
                "web private/records/modify '{\(Self.zone),\"operations\":[{\"operationType\":\"create\","
                    + "\"record\":\(record)}]}'", "sync")
            let list = await world.runner.run("post list")
            #expect(list.rendering.data.contains("Balloons"))
            #expect(list.rendering.messages.contains("skipped: CD_Post x: the record has no CD_entityName"))
            await type(world, "sync reset --forget --yes")
            #expect(await world.data("post list").isEmpty)
            #expect(await world.data("draft list").isEmpty)
            await type(world, "sync")
            #expect(await world.data("post list").contains("Balloons"))
        }
    }

    @Test("`web` refuses a text that is not a call, and reports the server's error")
    func web() async throws {
        try await ShellWorld.run { world in
            await type(world, "as alice")
            for (line, code) in [
                ("web records/lookup '{}'", "usage"), ("web private/records/lookup '{'", "usage"),
                ("web private/records/lookup '{\"records\":[{\"recordName\":\"no\"}]}'", "notFound"),
                ("web private/records/nothing '{}'", "notFound"),
            ] {
                let shellError = await world.runner.run(line).shellError
                #expect(shellError?.code == code, "\(line)")
            }
            let bare = await world.runner.run(#"web private/records/lookup {"records":[]}"#).shellError
            #expect(bare?.remedy?.hasPrefix("put the JSON in single quotes: web ") == true)
        }
    }
}
