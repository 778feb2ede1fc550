/// Computes badge numbers.
package enum BadgeRules {
    /// The badge after a change, from 0 to the limit. The previous number may be out of this range, because
    /// `setBadge` does not limit it.
    package static func value(_ value: Int, changedBy change: Int, atMost limit: Int) -> Int {
        let shown = min(max(value, 0), limit)
        return max(0, shown + min(max(change, -limit), limit - shown))
    }
}
