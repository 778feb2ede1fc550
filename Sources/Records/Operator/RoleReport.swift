/// A role with its members.
package struct RoleReport: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package var userRecordName: String
        /// The sign-in name of a person who can be found in the container; otherwise nil.
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
