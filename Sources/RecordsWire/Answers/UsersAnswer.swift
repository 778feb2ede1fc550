package import Records

/// The users who were found. Users who were not found are omitted.
package struct UsersAnswer: Hashable, Sendable {
    package var users: [UserIdentity]

    package init(users: [UserIdentity]) {
        self.users = users
    }

    /// Decodes a body. Throws `internalError` if it cannot be read.
    package init(bytes: [UInt8]) throws(RecordError) {
        do throws(RecordError) {
            users = try JSONDocument(bytes, nesting: answerNesting).root
                .list("users") { (node) throws(RecordError) in try UserIdentity(node) }
        } catch {
            throw error.asUnreadableAnswer
        }
    }

    /// Encodes the body of the answer.
    package func encoded() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.list("users", users) { $0.write(to: &$1) }
        json.endObject()
        return json.bytes
    }
}

/// The answer to the older lookup calls: a user dictionary or an error for each requested person.
package struct UsersLookupAnswer: Hashable, Sendable {
    /// The result for one requested person.
    package struct Item: Hashable, Sendable {
        package var lookup: UserLookup
        /// The user; nil if none was found.
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

    /// Encodes the body of the answer.
    package func encoded(in context: AnswerContext) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.list("users", users) { item, json in
            if let user = item.user { return user.writeAsUserDictionary(to: &json) }
            json.beginObject()
            item.lookup.writeMember(to: &json)
            Self.userNotFound.writeMembers(to: &json, in: context)
            json.endObject()
        }
        json.endObject()
        return json.bytes
    }

    /// The same error for unknown users and for users who do not allow others to find them.
    package static let userNotFound = RecordError(
        .notFound, "User not found",
        nextStep: "ask the person to use the app and to let others find them"
    )
}
