/// A slice of a long list, with links to the previous and the next slice. It has at most `size` elements, so
/// that pages stay small.
struct ListSlice<Element> {
    let elements: [Element]
    /// The index of the first element in the whole list.
    let start: Int
    /// The start index of the previous slice; nil for the first slice.
    let previous: Int?
    /// The start index of the next slice; nil for the last slice.
    let next: Int?

    /// - Parameters:
    ///   - start: the start index from the query; an invalid text means 0.
    init(_ all: [Element], from start: String?, size: Int) {
        let start = min(max(start.flatMap { Int($0) } ?? 0, 0), max(0, all.count - 1))
        self.start = start
        elements = Array(all.dropFirst(start).prefix(size))
        previous = start > 0 ? max(0, start - size) : nil
        next = start + elements.count < all.count ? start + elements.count : nil
    }

    /// Links to the previous and the next slice. `address` may have a query already.
    func links(_ address: String) -> [PageLink] {
        let joint = address.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        var links: [PageLink] = []
        if let previous {
            links.append(PageLink(href: "\(address)\(joint)from=\(previous)", label: "Previous"))
        }
        if let next { links.append(PageLink(href: "\(address)\(joint)from=\(next)", label: "Next")) }
        return links
    }
}
