import Records
import Synchronization

/// Makes UUIDs from an identifier as seed. Each installation of an app must have an identifier of its own, so
/// that no two make the same UUIDs.
public final class UUIDSource: Sendable {
    private let maker: Mutex<IdentifierMaker>

    /// Creates a source of UUIDs, repeatable for the same identifier.
    public init(_ identifier: String) {
        maker = Mutex(IdentifierMaker(seed: FNV1a.hash(of: identifier.utf8)))
    }

    /// The next UUID as text.
    public func next() -> String {
        maker.withLock { maker in
            let numbers = [maker.nextSeed(), maker.nextSeed()]
            return numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
                .uuidText
        }
    }
}
