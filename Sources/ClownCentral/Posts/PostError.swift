/// An error of the posts: a value breaks a rule, or an object is missing.
enum PostError: Error, Hashable {
    /// There is no object of this kind with this name. Another device may have deleted it.
    case missing(kind: String, id: String)
    /// A value has no visible character.
    case empty(String)
    /// A name has several lines.
    case severalLines(String)
    /// A value is longer than allowed; the unit is `characters` or `bytes`.
    case tooLong(String, most: Int, unit: String)
    /// A post would get more objects of a kind than allowed.
    case tooMany(String, most: Int)
    /// This device has no positions of a post.
    case noPlaces(post: Post.ID)
}

/// The limits of posts. Those of drafts are stricter.
enum PostRules {
    static let mostTitle = 200
    static let mostDraftTitle = 60
    static let mostContentBytes = 10_000_000
    static let mostDraftContentBytes = 100_000
    static let mostTagName = 50
    static let mostTags = 100
    static let mostFileName = 255
    static let mostFileBytes = 20_000_000
    static let mostAttachments = 100
    static let mostPlaces = 10_000

    /// Throws `PostError` for a title or content that a post cannot have.
    static func check(title: String, content: String) throws {
        try check(title, "a title", most: mostTitle)
        if content.utf8.count > mostContentBytes {
            throw PostError.tooLong("a text", most: mostContentBytes, unit: "bytes")
        }
    }

    /// Throws `PostError` for a title or content that a draft cannot have.
    static func checkDraft(title: String, content: String) throws {
        try check(title, "the title of a draft", most: mostDraftTitle)
        if content.allSatisfy(\.isWhitespace) { throw PostError.empty("the text of a draft") }
        if content.utf8.count > mostDraftContentBytes {
            throw PostError.tooLong("the text of a draft", most: mostDraftContentBytes, unit: "bytes")
        }
    }

    /// Throws `PostError` for the name of a tag that is empty, has several lines or is too long.
    static func check(tag name: String) throws { try check(name, "the name of a tag", most: mostTagName) }

    /// Throws `PostError` for a file that cannot be attached.
    static func check(file name: String, byteCount: Int) throws {
        try check(name, "the name of a file", most: mostFileName)
        if byteCount > mostFileBytes {
            throw PostError.tooLong("the file \(name)", most: mostFileBytes, unit: "bytes")
        }
    }

    private static func check(_ text: String, _ what: String, most: Int) throws {
        if text.allSatisfy(\.isWhitespace) { throw PostError.empty(what) }
        if text.contains(where: \.isNewline) { throw PostError.severalLines(what) }
        if text.count > most { throw PostError.tooLong(what, most: most, unit: "characters") }
    }
}
