public import Foundation

extension TextContribution {
    /// The version of the encoding that this library writes and reads.
    private static let version = 1
    private static let bytesPerScalar = 4

    private enum Kind: Int {
        case start, after, before, deletion
    }

    /// Encodes contributions as one batch, for one record or file. A batch contains the name of each site
    /// once, so encode the contributions of an edit session together.
    public static func bytes(of contributions: [TextContribution]) -> Data {
        var writer = ByteWriter()
        writer.write(version)
        var names: [TextSite: Int] = [:]
        var sites: [TextSite] = []
        for site in contributions.flatMap({ [$0.id.site] + $0.causes.map(\.first.site) })
        where names[site] == nil {
            names[site] = sites.count
            sites.append(site)
        }
        writer.write(sites.count)
        for site in sites { writer.write(site.name) }
        writer.write(contributions.count)
        for contribution in contributions { contribution.write(to: &writer) { names[$0] ?? 0 } }
        return writer.data
    }

    /// Decodes a batch that ``bytes(of:)`` encoded.
    ///
    /// Throws ``TextError`` if the bytes are damaged, have a later version, or contain contributions that
    /// exceed ``TextLimits``.
    public static func contributions(in bytes: Data) throws -> [TextContribution] {
        var reader = ByteReader(bytes, what: "contribution")
        let version = try reader.number(upTo: .max)
        guard version == Self.version else { throw TextError.version(version) }
        let siteCount = try reader.count(upTo: TextLimits.sites)
        let sites = try (0..<siteCount).map { _ in try reader.site() }
        let count = try reader.count(upTo: TextLimits.contributionsPerBatch)
        let contributions = try (0..<count).map { _ in try read(from: &reader, sites) }
        try reader.end()
        return contributions
    }

    private func write(to writer: inout ByteWriter, index: (TextSite) -> Int) {
        func write(_ id: ScalarID) {
            writer.write(index(id.site))
            writer.write(id.number)
        }
        switch content {
        case .run(let text, let place):
            switch place {
            case .start:
                writer.write(Kind.start.rawValue)
                write(id)
            case .after(let other):
                writer.write(Kind.after.rawValue)
                write(id)
                write(other)
            case .before(let other):
                writer.write(Kind.before.rawValue)
                write(id)
                write(other)
            }
            writer.write(text)
        case .deletion(let ranges):
            writer.write(Kind.deletion.rawValue)
            write(id)
            writer.write(ranges.count)
            for range in ranges {
                write(range.first)
                writer.write(range.count)
            }
        }
    }

    private static func read(from reader: inout ByteReader, _ sites: [TextSite]) throws -> TextContribution {
        guard let kind = Kind(rawValue: try reader.number(upTo: 3)) else { throw reader.unreadable }
        let id = try id(from: &reader, sites)
        if kind == .deletion {
            let count = try reader.count(upTo: TextLimits.rangesPerDeletion)
            let ranges = try (0..<count).map { _ in
                ScalarRange(
                    first: try Self.id(from: &reader, sites),
                    count: try reader.number(upTo: TextLimits.numbersPerSite))
            }
            return try TextContribution(id: id, content: .deletion(ranges))
        }
        let place: Position
        switch kind {
        case .after: place = .after(try Self.id(from: &reader, sites))
        case .before: place = .before(try Self.id(from: &reader, sites))
        case .start, .deletion: place = .start
        }
        let text = try reader.text(bytes: TextLimits.scalarsPerRun * bytesPerScalar)
        return try TextContribution(id: id, content: .run(text, place))
    }

    private static func id(from reader: inout ByteReader, _ sites: [TextSite]) throws -> ScalarID {
        let site = try reader.number(upTo: TextLimits.sites)
        guard site < sites.count else { throw reader.unreadable }
        return ScalarID(site: sites[site], number: try reader.number(upTo: TextLimits.numbersPerSite))
    }
}
