// Owns small things that Foundation has on Apple platforms only and client code uses.
//
// Left out is the predicate initialiser with a list of C arguments: such a list does not say the types of
// what it holds, and nothing on Linux makes one from objects. Use the one with an argument array.

public import Foundation

/// Nanoseconds in a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000

/// Runs the body; objects are released without a pool here.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    try body()
}

extension UserDefaults {
    /// Sets the value of a default; nil removes it.
    public func setValue(_ value: Any?, forKey key: String) {
        set(value, forKey: key)
    }

    /// The value of a default.
    public func value(forKey key: String) -> Any? {
        object(forKey: key)
    }
}

extension Data.WritingOptions {
    /// The name that `atomic` had.
    public static var atomicWrite: Data.WritingOptions { .atomic }
}
