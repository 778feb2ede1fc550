import CommandShell
import Foundation

extension Answer {
    private static func fields(of post: Post) -> [AnswerField] {
        [
            AnswerField("id", .text(post.id)), AnswerField("title", .text(post.title)),
            AnswerField("written", .moment(post.written)), AnswerField("tags", .texts(post.tags)),
            AnswerField("attachments", .count(post.attachments.count)),
            AnswerField("size", .bytes(post.content.utf8.count)),
        ]
    }

    /// A post with its content and the places that are on this device.
    static func post(_ post: Post, _ what: String? = nil, placeCount: Int = 0) -> Answer {
        var fields = fields(of: post)
        fields.append(AnswerField("text", .text(post.content)))
        fields.append(AnswerField("files", .texts(post.attachments.map(\.name))))
        fields.append(AnswerField("place", Value(post.walk?.centre)))
        fields.append(AnswerField("walked", post.walk.map { .distance($0.metres) } ?? .missing))
        fields.append(AnswerField("measured", .count(placeCount)))
        return Answer(form: .record, entries: [Entry(fields)], notes: [what].compactMap(\.self))
    }

    static func posts(_ posts: [Post], tag: String?) -> Answer {
        Answer(
            form: .list, entries: posts.map { Entry(fields(of: $0)) },
            columns: [
                Column("TITLE", "title", isFlexible: true), Column("WRITTEN", "written"),
                Column("TAGS", "tags", isFlexible: true), Column("FILES", "attachments"),
                Column("SIZE", "size"), Column("ID", "id"),
            ],
            whenEmpty: tag.map {
                "no post on this device has the tag \($0); give it to one: tag add POST TAG"
            }
                ?? "no posts on this device; write one: post add TITLE TEXT; \(fetchingOthers)")
    }

    static func drafts(_ drafts: [Draft], _ notes: [String] = []) -> Answer {
        Answer(
            form: .list,
            entries: drafts.map { draft in
                Entry([
                    AnswerField("id", .text(draft.id)), AnswerField("title", .text(draft.title)),
                    AnswerField("written", .moment(draft.written)), AnswerField("text", .text(draft.content)),
                ])
            },
            columns: [
                Column("TITLE", "title"), Column("WRITTEN", "written"),
                Column("TEXT", "text", isFlexible: true), Column("ID", "id"),
            ],
            notes: notes, whenEmpty: "no drafts on this device; write one: draft add TITLE TEXT")
    }

    static func tags(_ tags: [Tag]) -> Answer {
        Answer(
            form: .list,
            entries: tags.map {
                Entry([AnswerField("tag", .text($0.name)), AnswerField("posts", .count($0.postCount))])
            },
            columns: [Column("TAG", "tag"), Column("POSTS", "posts")],
            whenEmpty: "no tags on this device; give one to a post: tag add POST TAG; \(fetchingOthers)")
    }

    static func attachments(of post: Post, _ notes: [String] = []) -> Answer {
        Answer(
            form: .list,
            entries: post.attachments.map { file in
                Entry([
                    AnswerField("id", .text(file.id)), AnswerField("name", .text(file.name)),
                    AnswerField("size", .bytes(file.byteCount)),
                ])
            },
            columns: [Column("NAME", "name"), Column("SIZE", "size"), Column("ID", "id")], notes: notes,
            whenEmpty: "the post has no attachments; add one: "
                + "attach add \(Quoting.name(post.title) ?? "POST") FILE")
    }

    static func places(_ places: [Coordinate], of post: Post) -> Answer {
        Answer(
            form: .list,
            entries: places.map { Entry([AnswerField("place", Value($0))]) },
            columns: [Column("PLACE", "place")],
            whenEmpty: "no place of this post is on this device; add one: "
                + "place add \(Quoting.name(post.title) ?? "POST") LAT,LON")
    }
}
