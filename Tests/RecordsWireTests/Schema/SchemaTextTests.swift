import Records
import RecordsWire
import Testing

@testable import TestKit

@Suite("Schema texts")
struct SchemaTextTests {
    @Test("The initial schema of a container is exported in the known layout")
    func initial() throws {
        let text = """
            DEFINE SCHEMA

                RECORD TYPE Users (
                    "___createTime" TIMESTAMP,
                    "___createdBy"  REFERENCE,
                    "___etag"       STRING,
                    "___modTime"    TIMESTAMP,
                    "___modifiedBy" REFERENCE,
                    "___recordID"   REFERENCE,
                    roles           LIST<INT64>,
                    GRANT WRITE TO "_creator",
                    GRANT READ TO "_world"
                );

            """
        #expect(Schema.initial.text == text)
        #expect(try Schema(text: text) == .initial)
    }

    /// A schema with every construct of the language, in hand-written layout.
    private static let sample = """
        define schema -- keywords in any case
            CREATE ROLE Editor; CREATE ROLE "test role";
            /* two
               lines */
            RECORD TYPE Book (
                "___recordID"   REFERENCE QUERYABLE,
                "___createTime" TIMESTAMP SORTABLE QUERYABLE, // and more
                title  STRING SORTABLE QUERYABLE SEARCHABLE,
                tags   LIST<STRING> QUERYABLE,
                pages  NUMBER PREFERRED AS INT64,
                weight NUMBER QUERYABLE,
                sizes  LIST < NUMBER > ,
                note   ENCRYPTED STRING,
                hints  LIST<ENCRYPTED BYTES>,
                cover  ASSET,
                place  LOCATION QUERYABLE,
                "grant" STRING,
                GRANT READ TO "_world",
                GRANT CREATE TO "_icloud",
                GRANT READ TO Editor, GRANT WRITE TO Editor,
                GRANT READ, WRITE, CREATE TO "test role"
            );
            RECORD TYPE "cloudkit.share" ();
        """

    private static let exported = """
        DEFINE SCHEMA

            CREATE ROLE Editor;
            CREATE ROLE "test role";

            RECORD TYPE Book (
                "___createTime" TIMESTAMP QUERYABLE SORTABLE,
                "___createdBy"  REFERENCE,
                "___etag"       STRING,
                "___modTime"    TIMESTAMP,
                "___modifiedBy" REFERENCE,
                "___recordID"   REFERENCE QUERYABLE,
                cover           ASSET,
                "grant"         STRING,
                hints           LIST<ENCRYPTED BYTES>,
                note            ENCRYPTED STRING,
                pages           NUMBER PREFERRED AS INT64,
                place           LOCATION QUERYABLE,
                sizes           LIST<NUMBER>,
                tags            LIST<STRING> QUERYABLE,
                title           STRING QUERYABLE SEARCHABLE SORTABLE,
                weight          NUMBER QUERYABLE,
                GRANT CREATE TO "_icloud",
                GRANT READ TO "_world",
                GRANT READ, WRITE TO Editor,
                GRANT READ, CREATE, WRITE TO "test role"
            );

            RECORD TYPE "cloudkit.share" (
                "___createTime" TIMESTAMP,
                "___createdBy"  REFERENCE,
                "___etag"       STRING,
                "___modTime"    TIMESTAMP,
                "___modifiedBy" REFERENCE,
                "___recordID"   REFERENCE
            );

        """

    @Test("Every production of the grammar is parsed, and exported in one layout")
    func productions() throws {
        let schema = try Schema(text: Self.sample)
        #expect(schema.text == Self.exported)
        #expect(try Schema(text: Self.exported) == schema)
        #expect(schema.roles == ["Editor", "test role"])
        let book = try #require(schema.types["Book"])
        #expect(book.fields["pages"] == FieldSchema(type: .scalar(.int64), indexes: [], number: .preferred))
        #expect(book.fields["sizes"]?.type == .list(.double))
        #expect(book.fields["sizes"]?.isUnsettled == true)
        #expect(book.fields["hints"] == FieldSchema(type: .list(.bytes), isEncrypted: true, indexes: []))
        #expect(book.systemIndexes == [.recordName: .queryable, .createdTimestamp: [.queryable, .sortable]])
        #expect(
            book.grants
                == Grants([
                    .world: [.read], .icloud: [.create], .custom("Editor"): [.read, .write],
                    .custom("test role"): [.read, .create, .write],
                ])
        )
    }

    @Test("An empty schema, a byte order mark, and all kinds of line ends are accepted")
    func edges() throws {
        #expect(try Schema(text: "DEFINE SCHEMA").text == "DEFINE SCHEMA\n")
        #expect(try SchemaSource(text: [0xef, 0xbb, 0xbf] + "DEFINE SCHEMA".utf8).schema == Schema())
        for end in ["\n", "\r\n", "\r"] {
            let lines = ["DEFINE SCHEMA -- x", "RECORD TYPE A (", "  a STRING // y", "  , b INT64);"]
            let source = try SchemaSource(text: Array(lines.joined(separator: end).utf8))
            #expect(source.places[.field("b", of: "A")] == TextPlace(line: 4, column: 5))
            #expect(source.places[.type("A")] == TextPlace(line: 2, column: 13))
        }
    }

    @Test("The position of a missing part is that of the part that would contain it")
    func places() throws {
        let source = try SchemaSource(text: Array("DEFINE SCHEMA\nCREATE ROLE R;\nRECORD TYPE A ();".utf8))
        #expect(source.place(of: .role("R")) == TextPlace(line: 2, column: 13))
        #expect(source.place(of: .field("gone", of: "A")) == TextPlace(line: 3, column: 13))
        #expect(source.place(of: .type("Gone")) == TextPlace(line: 1, column: 1))
    }

    @Test("1,000 schemas are exported, parsed and exported again, byte for byte", arguments: [1, 2, 3, 4])
    func roundTrip(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        for _ in 0..<250 {
            let schema = random.schema()
            let text = schema.text
            let read = try Schema(text: text)
            #expect(read == schema)
            #expect(read.text == text)
        }
    }
}
