/// One of the ways to look for somebody who uses an app.
package enum UserLookup: Hashable, Sendable {
    case email(String)
    case phone(String)
    case userRecordName(String)
    /// The hash of a `ContactAddress`, from a device that does not show the address itself.
    case contactHash([UInt8])
}
