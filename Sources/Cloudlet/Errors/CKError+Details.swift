import Foundation

// Details that CloudKit's errors do not have, for apps that explain errors to people.
extension CKError {
    static let signInKey = "CloudletSignIn"
    static let unknownFieldKey = "CloudletUnknownField"

    /// The field that a query names and that no record of the type has had yet; nil for any other error.
    ///
    /// In the development environment a field exists once a record with it has been saved. Until then, a
    /// query that names the field fails with `invalidArguments`.
    public var unknownField: String? { userInfo[Self.unknownFieldKey] as? String }

    /// Whether the call failed because nobody is signed in, or because the session has ended.
    public var isSignInRequired: Bool { userInfo[Self.signInKey] != nil }

    /// The description without the URL of the sign-in page.
    public var descriptionWithoutAddress: String {
        userInfo[Self.signInKey] as? String ?? localizedDescription
    }
}
