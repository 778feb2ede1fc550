/// An entry of the audit log: one change that an operator made.
package struct AuditEntry: Hashable, Sendable {
    /// The number of the entry in the log, counted from 1; 0 until the log stores the entry.
    package var number: Int64
    package var at: Timestamp
    /// The operator's name.
    package var by: String
    /// The container that was changed; nil for a change of the whole server.
    package var container: String?
    /// The environment that was changed; nil for a change of both.
    package var environment: CloudEnvironment?
    /// The action, such as `index.remove`.
    package var action: String
    /// The object of the action, such as `Party.name`.
    package var subject: String
    /// The state before the change; nil if there was none.
    package var before: String?
    /// The state after the change; nil if there is none.
    package var after: String?
    /// The sign-in name of the person whom the subject names, only in answers to the operator's key. The log
    /// does not keep it.
    package var person: String?

    package init(
        number: Int64 = 0, at: Timestamp, by: String, container: String? = nil,
        environment: CloudEnvironment? = nil, action: String, subject: String, before: String? = nil,
        after: String? = nil
    ) {
        self.number = number
        self.at = at
        self.by = by
        self.container = container
        self.environment = environment
        self.action = action
        self.subject = subject
        self.before = before
        self.after = after
    }

    /// The user record name that the entry of a change of a role's members contains: at the end of the
    /// subject, or as the state before or after it. For other entries nil, or a name of nobody.
    package var userRecordName: String? {
        let named = subject.split(separator: " ").last.map { String($0) }
        return [named, before, after].compactMap(\.self).first { $0.hasPrefix("_") }
    }
}
