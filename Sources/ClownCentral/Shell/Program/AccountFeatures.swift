import Cloudlet
import CloudletShell
import Foundation
import Synchronization

/// Tells whether the features that need an account are enabled, without asking the server for each use.
///
/// The account is checked before the first use and again after each `.CKAccountChanged`. A missing account
/// therefore never shows an alert: the features are disabled until somebody signs in.
final class AccountFeatures: Sendable {
    /// The number of account changes. It starts at 1, so that the first use checks the account.
    private final class Changes: Sendable {
        let count = Atomic<Int>(1)
    }

    private struct Check {
        /// The value of `Changes.count` when this check began.
        var changes = 0
        var isSignedIn = false
    }

    private let cloud: CloudSession
    private let changes: Changes
    private let last = Mutex(Check())
    // Written once, in the initialiser.
    private nonisolated(unsafe) let observer: any NSObjectProtocol

    /// Listens to the changes of this session's account.
    init(_ cloud: CloudSession) {
        let changes = Changes()
        self.cloud = cloud
        self.changes = changes
        observer = NotificationCenter.default.addObserver(
            forName: .CKAccountChanged, object: cloud, queue: nil
        ) { _ in
            changes.count.add(1, ordering: .sequentiallyConsistent)
        }
    }

    deinit { NotificationCenter.default.removeObserver(observer) }

    /// Whether somebody is signed in. A person who signed in by name while the server was unreachable counts,
    /// too, because the data on this device can be used.
    var areEnabled: Bool {
        get async {
            let count = changes.count.load(ordering: .sequentiallyConsistent)
            let known = last.withLock { $0 }
            if known.changes == count { return known.isSignedIn }
            let isSignedIn = await cloud.context.account != nil
            last.withLock { if $0.changes < count { $0 = Check(changes: count, isSignedIn: isSignedIn) } }
            return isSignedIn
        }
    }
}
