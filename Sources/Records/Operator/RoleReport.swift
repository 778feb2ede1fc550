/// A role with its members.
package struct RoleReport: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package var userRecordName: String
        /// The person's sign-in name; nil if the person has been deleted.
        package var person: String?

        package init(userRecordName: String, person: String? = nil) {
            self.userRecordName = userRecordName
            self.person = person
        }
    }

    package var name: String
    package var members: [Member]

    package init(name: String, members: [Member]) {
        self.name = name
        self.members = members
    }
}
