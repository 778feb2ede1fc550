package import Records

/// Requests users by e-mail address or record name, in the form of older clients.
package struct UsersLookupRequest: Hashable, Sendable {
    /// The key that the request uses.
    package enum Key: Hashable, Sendable {
        case emailAddress
        case userRecordName
    }

    package var users: [UserLookup]

    /// Decodes a body; an empty body counts as `{}`.
    package init(bytes: [UInt8], key: Key, limits: Limits = Limits()) throws(RecordError) {
        let text = bytes.isEmpty ? Array("{}".utf8) : bytes
        let body = try JSONDocument(request: text, limits).root.object()
        users = try body.list(
            "users", atMost: limits.recordsPerResponse, next: "look for them in several requests"
        ) { (node) throws(RecordError) in
            let user = try node.object()
            return switch key {
            case .emailAddress: .email(try user.required("emailAddress").string())
            case .userRecordName: .userRecordName(try user.required("userRecordName").string())
            }
        }
    }
}
