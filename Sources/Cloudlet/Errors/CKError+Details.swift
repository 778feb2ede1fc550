import Foundation

// What the framework's own errors do not tell, for apps that talk with people about them.
extension CKError {
    static let signInKey = "CloudletSignIn"
    static let unknownFieldKey = "CloudletUnknownField"

    /// The field that a query names, and that no record of the type has had yet; nil for any other error.
    ///
    /// A development database learns its fields from the records that are saved. Until a record has the
    /// field, a query for it is refused with `invalidArguments`.
    public var unknownField: String? { userInfo[Self.unknownFieldKey] as? String }

    /// Whether the call needs somebody to be signed in, and nobody is, or not any more.
    public var isSignInRequired: Bool { userInfo[Self.signInKey] != nil }

    /// The description without the address at which a browser would sign in.
    public var descriptionWithoutAddress: String {
        userInfo[Self.signInKey] as? String ?? localizedDescription
    }
}
