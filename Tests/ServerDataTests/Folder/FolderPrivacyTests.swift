import Foundation
import Testing

@testable import CloudletServer
@testable import ServerData

@Suite("Whom a data folder is open to")
struct FolderPrivacyTests {
    @Test(
        "A folder of one's own is closed, and somebody else's is refused",
        arguments: [
            (0o700, 1000, 1000, FolderPrivacy.kept), (0o700, 1, 1000, .kept), (0o40700, 0, 1000, .kept),
            (0o755, 1000, 1000, .closable), (0o750, 1000, 1000, .closable), (0o701, 1000, 1000, .closable),
            (0o777, 0, 1000, .foreign), (0o770, 1, 1000, .foreign), (0o755, 1000, 0, .closable),
        ])
    func decided(mode: Int, owner: Int, user: Int, expected: FolderPrivacy) {
        let privacy = FolderPrivacy(mode: mode_t(mode), owner: uid_t(owner), user: uid_t(user))
        #expect(privacy == expected)
    }
}
