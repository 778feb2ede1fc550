// Declarations of Foundation that exist only on Apple platforms and that client code uses.
//
// The predicate initialiser with a C argument list is absent: such a list does not carry the types of its
// values, and Linux has no way to build one from objects. Use the initialiser with an argument array.

public import Foundation

/// The number of nanoseconds in a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000

/// Runs the body. On Linux objects are released without an autorelease pool.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    try body()
}

extension UserDefaults {
    /// Sets the value of a default; nil removes the default.
    public func setValue(_ value: Any?, forKey key: String) {
        set(value, forKey: key)
    }

    /// The value of a default.
    public func value(forKey key: String) -> Any? {
        object(forKey: key)
    }
}

extension Data.WritingOptions {
    /// The former name of `atomic`.
    public static var atomicWrite: Data.WritingOptions { .atomic }
}
