// Owns how a number of bytes is written for people.

import RecordsWire

/// Bytes in the largest unit that leaves a number before the point.
enum ByteText {
    /// What is used, with what there is, if that is limited; nil when it is not known.
    static func of(_ used: JSONNode?, limit: JSONNode?) -> String? {
        guard let used = used?.int64Value else { return nil }
        guard let limit = limit?.int64Value else { return of(used) }
        return "\(of(used)) of \(of(limit))"
    }

    static func of(_ bytes: Int64) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB", "PB"]
        var value = Double(bytes)
        var unit = 0
        while value >= 1000, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        if unit == 0 { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        let tenths = Int64((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
