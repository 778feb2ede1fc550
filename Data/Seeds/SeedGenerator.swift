import Foundation

/// Generates sample parties from a seed, one at a time, so that even a million need constant memory.
///
/// Party `n` depends only on the seed and on `n`: the first 520 of a million equal the 520 of
/// `Data/Seeds/parties.jsonl`, which `Data/Seeds/make` writes with the seed 2014.
///
///     for party in SeedGenerator(seed: 2014, count: 1_000_000, referenceDate: now) { … }
struct SeedGenerator: Sequence, Sendable {
    let seed: UInt64
    let count: Int
    let referenceDate: Date

    func makeIterator() -> some IteratorProtocol<SeedParty> {
        (0..<count).lazy.map { party(at: $0) }.makeIterator()
    }

    /// The party with the record name `party-` and `index + 1`.
    func party(at index: Int) -> SeedParty {
        var random = SplitMix64(seed: seed, stream: index)
        let key = "party-" + padded(index + 1)
        let spot = spot(&random)
        let town = spot.town
        return SeedParty(
            recordName: key,
            name: name(at: index) + decoration(&random),
            summary: summary(&random),
            place: "\(random.pick(SeedWords.venues)), \(town.name)",
            latitude: degrees(town.latitude + spot.spread * random.aroundZero()),
            longitude: degrees(town.longitude + spot.spread * random.aroundZero()),
            startsInMinutes: startInMinutes(&random) - town.hoursAheadOfUTC * 60,
            lastsMinutes: 60 + 30 * random.below(11),
            clowns: clowns(of: key, &random),
            referenceDate: referenceDate
        )
    }

    /// About three in four parties are close together in San Francisco, the rest all over the world.
    private func spot(_ random: inout SplitMix64) -> (town: SeedPlace, spread: Double) {
        random.below(100) < 74
            ? (random.pick(SeedPlaces.sanFrancisco), 0.0035)
            : (random.pick(SeedPlaces.world), 0.03)
    }

    /// A unique name: the stride is coprime with the number of combinations, so it visits each combination
    /// once. After that, names get a number.
    private func name(at index: Int) -> String {
        let moods = SeedWords.moods
        let themes = SeedWords.themes
        let occasions = SeedWords.occasions
        let combinations = moods.count * themes.count * occasions.count
        let stride = 66_449
        let start = Int(seed % UInt64(combinations))
        let combination = (index % combinations * stride + start) % combinations
        let mood = moods[combination % moods.count]
        let theme = themes[combination / moods.count % themes.count]
        let occasion = occasions[combination / moods.count / themes.count]
        let round = index / combinations
        return "\(mood) \(theme) \(occasion)" + (round == 0 ? "" : " No. \(round + 1)")
    }

    private func decoration(_ random: inout SplitMix64) -> String {
        random.below(7) == 0 ? " " + random.pick(SeedWords.emoji) : ""
    }

    private func summary(_ random: inout SplitMix64) -> String {
        [random.pick(SeedWords.openings), random.pick(SeedWords.promises), random.pick(SeedWords.requests)]
            .joined(separator: " ")
    }

    /// The start in minutes of local time: a half hour between 10:00 and 22:00, on a day from 30 days ago to
    /// 180 days ahead.
    private func startInMinutes(_ random: inout SplitMix64) -> Int {
        let day = random.below(210) - 30
        return day * 24 * 60 + 10 * 60 + random.below(25) * 30
    }

    private func clowns(of key: String, _ random: inout SplitMix64) -> [SeedClown] {
        (1...(1 + random.below(4))).map { number in
            SeedClown(
                recordName: "\(key)-clown-\(number)",
                name: clownName(&random),
                act: random.pick(SeedWords.acts)
            )
        }
    }

    private func clownName(_ random: inout SplitMix64) -> String {
        random.below(24) == 0
            ? random.pick(SeedWords.rareClowns)
            : random.pick(SeedWords.clownNames) + " " + random.pick(SeedWords.clownSurnames)
    }

    /// Rounds to five decimals, about one metre.
    private func degrees(_ value: Double) -> Double {
        (value * 100_000).rounded() / 100_000
    }

    private func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits
    }
}
