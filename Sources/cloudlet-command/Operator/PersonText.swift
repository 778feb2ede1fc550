/// A person in the output of a command.
enum PersonText {
    /// The user record name with the name to sign in with, if it is known: `_ab12 (paul)`.
    static func of(_ userRecordName: String?, name: String?) -> String? {
        guard let userRecordName, let name else { return userRecordName }
        return "\(userRecordName) (\(name))"
    }
}
