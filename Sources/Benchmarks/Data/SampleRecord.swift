/// A record with three queryable fields and a reference, made from a seed: the same in every run.
struct SampleRecord {
    let number: Int
    let title: String
    let guests: Int
    let starts: Int
    let parent: String

    static let type = "Item"
    static let parents = 1000

    init(number: Int, seed: UInt64) {
        var dice = Dice(seed: seed &* 1_000_003 &+ UInt64(number))
        self.number = number
        title = (0..<8).map { _ in Self.words[dice.roll(Self.words.count)] }.joined(separator: " ")
        guests = dice.roll(500)
        starts = 1_700_000_000_000 + dice.roll(100_000_000) * 1000
        parent = Self.parentName(dice.roll(Self.parents))
    }

    static func parentName(_ number: Int) -> String {
        "parent-\(number)"
    }

    /// Unique in a database; `prefix` keeps runs apart.
    func name(_ prefix: String) -> String {
        "\(prefix)-\(number)-0123456789ab"
    }

    /// The fields as the server answers them: about 300 bytes.
    var fieldsJSON: String {
        """
        {"title":{"value":"\(title)","type":"STRING"},"guests":{"value":\(guests),"type":"INT64"},\
        "starts":{"value":\(starts),"type":"TIMESTAMP"},\
        "parent":{"value":{"recordName":"\(parent)","action":"NONE"},"type":"REFERENCE"}}
        """
    }

    /// The fields as the peer takes them.
    var peerJSON: String {
        """
        {"title":"\(title)","guests":\(guests),"starts":\(starts),"parent":"\(parent)"}
        """
    }

    /// The record type as a developer declares it: every field can be asked for and sorts, none is searched
    /// for words.
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
