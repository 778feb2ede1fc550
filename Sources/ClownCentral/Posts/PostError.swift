/// An error of the posts: a value breaks a rule, or an object is missing.
enum PostError: Error, Hashable {
    /// There is no object of this kind with this name. Another device may have deleted it.
    case missing(kind: String, id: String)
    /// A value has no visible character.
    case empty(String)
    /// A name has several lines.
    case severalLines(String)
    /// A value is longer than allowed; the unit is `characters` or `bytes`.
    case tooLong(String, limit: Int, unit: String)
    /// A post would get more objects of a kind than allowed.
    case tooMany(String, limit: Int)
    /// This device has no positions of a post.
    case noPlaces(post: Post.ID)
}

/// The limits of posts. Those of drafts are stricter.
enum PostRules {
    static let maximumTitleCharacters = 200
    static let maximumDraftTitleCharacters = 60
    static let maximumContentBytes = 10_000_000
    static let maximumDraftContentBytes = 100_000
    static let maximumTagCharacters = 50
    static let maximumTags = 100
    static let maximumFileNameCharacters = 255
    static let maximumFileBytes = 20_000_000
    static let maximumAttachments = 100
    static let maximumPlaces = 10_000

    /// Throws `PostError` for a title or content that a post cannot have.
    static func check(title: String, content: String) throws {
        try check(title, "a title", limit: maximumTitleCharacters)
        if content.utf8.count > maximumContentBytes {
            throw PostError.tooLong("a text", limit: maximumContentBytes, unit: "bytes")
        }
    }

    /// Throws `PostError` for a title or content that a draft cannot have.
    static func checkDraft(title: String, content: String) throws {
        try check(title, "the title of a draft", limit: maximumDraftTitleCharacters)
        if content.allSatisfy(\.isWhitespace) { throw PostError.empty("the text of a draft") }
        if content.utf8.count > maximumDraftContentBytes {
            throw PostError.tooLong("the text of a draft", limit: maximumDraftContentBytes, unit: "bytes")
        }
    }

    /// Throws `PostError` for the name of a tag that is empty, has several lines or is too long.
    static func check(tag name: String) throws {
        try check(name, "the name of a tag", limit: maximumTagCharacters)
    }

    /// Throws `PostError` for a file that cannot be attached.
    static func check(file name: String, byteCount: Int) throws {
        try check(name, "the name of a file", limit: maximumFileNameCharacters)
        if byteCount > maximumFileBytes {
            throw PostError.tooLong("the file \(name)", limit: maximumFileBytes, unit: "bytes")
        }
    }

    private static func check(_ text: String, _ subject: String, limit: Int) throws {
        if text.allSatisfy(\.isWhitespace) { throw PostError.empty(subject) }
        if text.contains(where: \.isNewline) { throw PostError.severalLines(subject) }
        if text.count > limit { throw PostError.tooLong(subject, limit: limit, unit: "characters") }
    }
}
