import Records

/// A record with three queryable fields and a reference, generated from a seed and a number.
struct SampleRecord {
    let number: Int
    let title: String
    let guests: Int
    let starts: Int
    let parent: String

    static let type = "Item"
    static let parents = 1000

    init(number: Int, seed: UInt64) {
        var random = SplitMix64(seed: seed &* 1_000_003 &+ UInt64(number))
        self.number = number
        title = (0..<8).map { _ in Self.words[random.below(Self.words.count)] }.joined(separator: " ")
        guests = random.below(500)
        starts = 1_700_000_000_000 + random.below(100_000_000) * 1000
        parent = Self.parentName(random.below(Self.parents))
    }

    static func parentName(_ number: Int) -> String {
        "parent-\(number)"
    }

    /// The record name, unique in a database. Each run has its own `prefix`.
    func name(_ prefix: String) -> String {
        "\(prefix)-\(number)-0123456789ab"
    }

    /// The fields in the server's JSON, about 300 bytes.
    var fieldsJSON: String {
        """
        {"title":{"value":"\(title)","type":"STRING"},"guests":{"value":\(guests),"type":"INT64"},\
        "starts":{"value":\(starts),"type":"TIMESTAMP"},\
        "parent":{"value":{"recordName":"\(parent)","action":"NONE"},"type":"REFERENCE"}}
        """
    }

    /// The fields in the peer's JSON.
    var peerJSON: String {
        """
        {"title":"\(title)","guests":\(guests),"starts":\(starts),"parent":"\(parent)"}
        """
    }

    /// The declaration of the record type: the fields are queryable, all but the reference also sortable, and
    /// none is searchable.
    static let schema = """
        DEFINE SCHEMA

            RECORD TYPE \(type) (
                "___createTime" TIMESTAMP QUERYABLE SORTABLE,
                "___recordID"   REFERENCE QUERYABLE,
                guests          INT64 QUERYABLE SORTABLE,
                parent          REFERENCE QUERYABLE,
                starts          TIMESTAMP QUERYABLE SORTABLE,
                title           STRING QUERYABLE SORTABLE,
                GRANT READ, WRITE TO "_creator",
                GRANT CREATE TO "_icloud",
                GRANT READ TO "_world"
            );
        """

    private static let words = [
        "balloon", "birthday", "carnival", "confetti", "cream", "custard", "elephant", "garden", "juggling",
        "lantern", "magic", "midsummer", "nose", "orchestra", "parade", "pie", "puppet", "trampoline",
        "tricycle", "trumpet", "umbrella", "unicycle", "whistle", "wig",
    ]
}
