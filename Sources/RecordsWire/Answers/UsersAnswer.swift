package import Records

/// The people who were found; the others are absent.
package struct UsersAnswer: Hashable, Sendable {
    package var users: [UserIdentity]

    package init(users: [UserIdentity]) {
        self.users = users
    }

    /// Reads a body. Throws `internalError` when it cannot be read.
    package init(bytes: [UInt8]) throws(RecordError) {
        do throws(RecordError) {
            users = try JSONDocument(bytes, nesting: answerNesting).root
                .list("users") { (node) throws(RecordError) in try UserIdentity(node) }
        } catch {
            throw error.asUnreadableAnswer
        }
    }

    /// The body as the server sends it.
    package func encoded() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.list("users", users) { $0.write(to: &$1) }
        json.endObject()
        return json.bytes
    }
}

/// What older clients hear: one entry for each person looked for, a user dictionary or an error.
package struct UsersLookupAnswer: Hashable, Sendable {
    /// One person looked for.
    package struct Item: Hashable, Sendable {
        package var lookup: UserLookup
        /// nil: nobody to be found.
        package var user: UserIdentity?

        package init(lookup: UserLookup, user: UserIdentity?) {
            self.lookup = lookup
            self.user = user
        }
    }

    package var users: [Item]

    package init(users: [Item]) {
        self.users = users
    }

    /// The body as the server sends it.
    package func encoded(in context: AnswerContext) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.list("users", users) { item, json in
            if let user = item.user { return user.writeAsUserDictionary(to: &json) }
            json.beginObject()
            item.lookup.writeMember(to: &json)
            Self.nobody.writeMembers(to: &json, in: context)
            json.endObject()
        }
        json.endObject()
        return json.bytes
    }

    /// The same for those who are unknown and for those who have not agreed.
    private static let nobody = RecordError(
        .notFound, "User not found",
        nextStep: "only people who use the app and let others find them are found"
    )
}
