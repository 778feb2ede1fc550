/// A new session.
package struct SignIn: Hashable, Sendable {
    package var webAuthToken: String
    /// The person's record name in the container that was named; nil if none was.
    package var userRecordName: String?

    package init(webAuthToken: String, userRecordName: String? = nil) {
        self.webAuthToken = webAuthToken
        self.userRecordName = userRecordName
    }
}
