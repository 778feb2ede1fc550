/// The arithmetic of badges.
package enum BadgeRules {
    /// A badge after a change, between 0 and the limit. The number before may be any: files of older versions
    /// hold such.
    package static func value(_ value: Int, changedBy change: Int, atMost limit: Int) -> Int {
        let shown = min(max(value, 0), limit)
        return max(0, shown + min(max(change, -limit), limit - shown))
    }
}
