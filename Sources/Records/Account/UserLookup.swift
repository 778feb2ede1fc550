/// One way to look up a user of an app.
package enum UserLookup: Hashable, Sendable {
    case email(String)
    case phone(String)
    case userRecordName(String)
    /// The hash of a `ContactAddress`, sent by devices that do not reveal the address itself.
    case contactHash([UInt8])
}
