import Records
import Synchronization

/// Makes UUIDs from an identifier that no other installation has.
public final class UUIDSource: Sendable {
    private let maker: Mutex<IdentifierMaker>

    /// Creates a source of UUIDs, repeatable for the same identifier.
    public init(_ identifier: String) {
        // FNV-1a
        let seed = identifier.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        maker = Mutex(IdentifierMaker(seed: seed))
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
