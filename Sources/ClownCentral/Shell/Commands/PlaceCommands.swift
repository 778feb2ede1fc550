import CloudletShell
import CommandShell
import Foundation

/// The commands for the places at which a post is written. They are in a store of their own on this device.
struct PlaceCommands {
    let app: AppSession

    private static let help = """
        A device measures many places, which stay on it. `place upload` combines them into one walk: their \
        centre and the length of the way. Only the walk becomes part of the post. \(PostCommands.help)
        """

    var commands: [CommandSpec] { [add, list, upload] }

    private var repository: PostRepository {
        get async throws { try await app.personalData().posts }
    }

    private var add: CommandSpec {
        CommandSpec(
            ["place", "add"],
            group: PostCommands.group,
            summary: "measure places while you write a post",
            arguments: [ArgumentSpec("POST", .post), ArgumentSpec("LAT,LON", .place, .many)],
            details: Self.help,
            examples: ["place add Balloons 52.52,13.40 52.53,13.41"]
        ) { arguments in
            let word = try arguments.requiredWord("POST")
            let places = try arguments.words(from: "LAT,LON").map(ParsedArguments.coordinate)
            return .work {
                let post = try await app.post(word)
                let count = try await repository.add(places, to: post.id)
                return Answer.message(
                    "\(Answer.counted(count, "place")) on this device only; to put one walk into the post: "
                        + "place upload \(Quoting.name(post.title) ?? "POST")",
                    facts: [AnswerField("measured", .count(count))])
            }
        }
    }

    private var list: CommandSpec {
        CommandSpec(
            ["place", "list"],
            group: PostCommands.group,
            summary: "show the places of a post that are on this device",
            arguments: [ArgumentSpec("POST", .post)],
            details: Self.help,
            examples: ["place list Balloons"]
        ) { arguments in
            let word = try arguments.requiredWord("POST")
            return .work {
                let post = try await app.post(word)
                return Answer.places(try await repository.places.places(of: post.id), of: post)
            }
        }
    }

    private var upload: CommandSpec {
        CommandSpec(
            ["place", "upload"],
            group: PostCommands.group,
            summary: "put one walk into a post in place of its measured places",
            arguments: [ArgumentSpec("POST", .post)],
            details: Self.help,
            examples: ["place upload Balloons"]
        ) { arguments in
            let word = try arguments.requiredWord("POST")
            return .work {
                let post = try await repository.uploadWalk(of: try await app.post(word).id)
                return Answer.post(post, try await app.unsent("stored the walk in \(post.title)"))
            }
        }
    }
}
