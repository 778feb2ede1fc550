/// A part of a long list, with links to the parts before and after it. A page shows at most `size` elements,
/// so that it stays small.
struct ListSlice<Element> {
    let elements: [Element]
    /// The place of the first element in the whole list.
    let start: Int
    /// Where the part before this one begins; nil at the beginning.
    let previous: Int?
    /// Where the part after this one begins; nil at the end.
    let next: Int?

    /// - Parameters:
    ///   - start: as the query says; anything unreadable is the beginning.
    init(_ all: [Element], from start: String?, size: Int) {
        let start = min(max(start.flatMap { Int($0) } ?? 0, 0), max(0, all.count - 1))
        self.start = start
        elements = Array(all.dropFirst(start).prefix(size))
        previous = start > 0 ? max(0, start - size) : nil
        next = start + elements.count < all.count ? start + elements.count : nil
    }

    /// Links to the neighbours, for an address without a query or with one.
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
