extension Sequence {
    /// Splits the elements into consecutive groups. A group has at most `count` elements and at most `limit`
    /// bytes together, or a single element with more.
    ///
    /// - Parameter bytes: Returns the bytes of an element. A negative number counts as 0.
    package func groups(
        ofAtMost count: Int, bytes limit: Int64, _ bytes: (Element) -> Int64
    ) -> [[Element]] {
        var groups: [[Element]] = []
        var room: Int64 = 0
        for element in self {
            let size = Swift.max(0, bytes(element))
            if let last = groups.last, last.count < count, size <= room {
                groups[groups.count - 1].append(element)
                room -= size
            } else {
                groups.append([element])
                room = limit - size
            }
        }
        return groups
    }
}
