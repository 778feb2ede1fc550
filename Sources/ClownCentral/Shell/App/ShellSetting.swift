// Owns one setting of a shell, and where its value is from.
import Foundation

/// A setting as `config list` shows it. A flag counts more than the environment, and that more than what is
/// usual.
public struct ShellSetting: Equatable, Sendable {
    /// The name of the flag that sets it.
    public let name: String
    /// The value as text; secrets are hidden.
    public let value: String
    /// A flag, a variable of the environment, or the default.
    public let source: String

    /// The first of these values that is there: that of the flag, of the variable, or what is usual.
    public init(
        _ name: String, flag: String?, variable: (name: String, value: String?)? = nil, usual: String,
        isSecret: Bool = false
    ) {
        let given = flag ?? variable?.value
        self.name = name
        value = given.map { isSecret ? "(hidden)" : $0 } ?? usual
        source = flag != nil ? "--\(name)" : given != nil ? variable?.name ?? "" : "default"
    }
}
