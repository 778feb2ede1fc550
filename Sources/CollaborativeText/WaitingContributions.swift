/// The contributions that cannot be applied yet because they depend on others that have not arrived.
struct WaitingContributions: Sendable {
    /// The maximum number of contributions that a search for a cycle visits.
    private static let maximumSteps = 64

    private var byID: [ScalarID: TextContribution] = [:]
    /// The IDs of the waiting contributions by the site and number that they wait for. A contribution waits
    /// for one number at a time.
    private var byMissing: [TextSite: [Int: [ScalarID]]] = [:]
    private var scalars = 0

    var count: Int { byID.count }

    var all: [TextContribution] {
        byID.values.sorted { ($0.id.site, $0.id.number) < ($1.id.site, $1.id.number) }
    }

    /// Adds a contribution that waits for a number of a site. Adding the same contribution again has no
    /// effect.
    mutating func add(_ contribution: TextContribution, waitingFor need: ScalarID) throws(TextError) {
        let id = contribution.id
        if let known = byID[id] {
            guard known == contribution else { throw TextError.different(id) }
            return
        }
        if let other = dependent(of: contribution, with: need) { throw TextError.cycle(id, waitsFor: other) }
        guard count < TextLimits.waiting else {
            throw TextError.full(what: "waiting contributions", limit: TextLimits.waiting)
        }
        guard scalars + contribution.size <= TextLimits.waitingScalars else {
            throw TextError.full(what: "waiting scalars", limit: TextLimits.waitingScalars)
        }
        scalars += contribution.size
        byID[id] = contribution
        byMissing[need.site, default: [:]][need.number, default: []].append(id)
    }

    /// Removes and returns the contributions that wait for numbers of a site in a range.
    mutating func remove(waitingFor site: TextSite, _ numbers: Range<Int>) -> [TextContribution] {
        var removed: [TextContribution] = []
        for number in missing(of: site, numbers) {
            for id in byMissing[site]?.removeValue(forKey: number) ?? [] {
                guard let contribution = byID.removeValue(forKey: id) else { continue }
                scalars -= contribution.size
                removed.append(contribution)
            }
        }
        if byMissing[site]?.isEmpty == true { byMissing[site] = nil }
        return removed
    }

    /// The numbers in a range for which contributions wait, in ascending order. The range may be much longer
    /// than the list of waiting contributions, so the shorter of the two is searched.
    private func missing(of site: TextSite, _ numbers: Range<Int>) -> [Int] {
        guard let needs = byMissing[site] else { return [] }
        if numbers.count < needs.count { return numbers.filter { needs[$0] != nil } }
        return needs.keys.filter(numbers.contains).sorted()
    }

    /// The waiting contribution that contains the number `need`, if it waits for `contribution` directly or
    /// through others: then both would wait for each other. Nil if there is none.
    private func dependent(of contribution: TextContribution, with need: ScalarID) -> ScalarID? {
        guard !byMissing.isEmpty else { return nil }
        var queue = [contribution]
        var next = 0
        while next < queue.count, next < Self.maximumSteps {
            let numbers = queue[next].id.number..<queue[next].id.number + queue[next].size
            let site = queue[next].id.site
            for number in missing(of: site, numbers) {
                for id in byMissing[site]?[number] ?? [] {
                    guard let waiting = byID[id] else { continue }
                    let own = id.number..<id.number + waiting.size
                    if id.site == need.site, own.contains(need.number) { return id }
                    queue.append(waiting)
                }
            }
            next += 1
        }
        return nil
    }
}
