/// The result of a sign-in: a new session.
package struct SignIn: Hashable, Sendable {
    package var webAuthToken: String
    /// The person's user record name in the requested container; nil if the request named none.
    package var userRecordName: String?

    package init(webAuthToken: String, userRecordName: String? = nil) {
        self.webAuthToken = webAuthToken
        self.userRecordName = userRecordName
    }
}
