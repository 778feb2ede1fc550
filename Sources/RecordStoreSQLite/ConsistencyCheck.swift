import GRDB
import Records

/// Compares the tables of a database with one another.
struct ConsistencyCheck {
    let database: Database
    let codec: any FieldCodec

    /// Returns the contradictions, one for each line; empty for a sound database.
    func faults() throws -> [String] {
        var faults: [String] = []
        let catalog = try Catalog(database)
        for (title, sql) in contradictions(in: catalog) {
            let count = try Int.fetchOne(database, sql: sql) ?? 0
            if count > 0 { faults.append("\(count) \(title)") }
        }
        return try faults + UsageAccount(database: database).miscounts(codec: codec)
    }

    private func contradictions(in catalog: Catalog) -> [(title: String, sql: String)] {
        var checks = [
            (
                "records in a zone that is gone",
                "SELECT COUNT(*) FROM record WHERE zone NOT IN (SELECT id FROM zone)"
            ),
            (
                "usages of people in a zone that is gone",
                "SELECT COUNT(*) FROM person_usage WHERE zone NOT IN (SELECT id FROM zone)"
            ),
            (
                "records changed after the last change of the file",
                "SELECT COUNT(*) FROM record WHERE sequence > (SELECT sequence FROM store)"
            ),
            (
                "numbers of changes or notifications that are too great",
                """
                SELECT COUNT(*)
                FROM store
                WHERE MAX(sequence, last_notification) > \(WriterState.greatestNumber)
                """
            ),
            (
                "bindings from records that are gone",
                "SELECT COUNT(*) FROM binding WHERE source NOT IN (SELECT id FROM record WHERE fields IS "
                    + "NOT NULL)"
            ),
            (
                "files owned by records that are gone",
                """
                SELECT COUNT(*)
                FROM asset_owner
                WHERE record NOT IN (SELECT id FROM record WHERE record_assets(head) IS NOT NULL)
                """
            ),
        ]
        checks += contradictionsInShares
        for type in catalog.types.values.sorted(by: { $0.id < $1.id }) { checks += contradictions(in: type) }
        return checks
    }

    /// The shares against the records, and their feeds against the parents of the records.
    private var contradictionsInShares: [(title: String, sql: String)] {
        [
            (
                "shares without a record",
                "SELECT COUNT(*) FROM share WHERE end_sequence IS NULL AND id NOT IN (SELECT id FROM record "
                    + "WHERE fields IS NOT NULL)"
            ),
            (
                "rows and members of shares that are gone",
                "SELECT (SELECT COUNT(*) FROM share_feed WHERE share NOT IN (SELECT id FROM share)) "
                    + "+ (SELECT COUNT(*) FROM share_member WHERE share NOT IN (SELECT id FROM share))"
            ),
            (
                "shared rows that disagree with the parents of the records",
                """
                WITH RECURSIVE covered (share, zone, name) AS (
                    SELECT id, zone, root FROM share WHERE root IS NOT NULL AND end_sequence IS NULL
                    UNION
                    SELECT c.share, c.zone, r.name
                    FROM covered c
                    CROSS JOIN binding b ON b.zone = c.zone AND b.target = c.name AND b.kind = 3
                    CROSS JOIN record r ON r.id = b.source
                    WHERE NOT EXISTS (
                        SELECT 1
                        FROM share s
                        WHERE s.zone = c.zone AND s.root = r.name AND s.end_sequence IS NULL
                    )
                ),
                expected AS (
                    SELECT share, name FROM covered
                    UNION
                    SELECT id, name FROM share WHERE root IS NOT NULL AND end_sequence IS NULL
                ),
                found AS (SELECT share, name FROM share_feed WHERE gone_at IS NULL)
                SELECT (SELECT COUNT(*) FROM (SELECT * FROM expected EXCEPT SELECT * FROM found))
                    + (SELECT COUNT(*) FROM (SELECT * FROM found EXCEPT SELECT * FROM expected))
                """
            ),
            (
                "shared rows older than their record",
                """
                SELECT COUNT(*)
                FROM share_feed f
                JOIN record r ON r.zone = f.zone AND r.name = f.name
                WHERE f.gone_at IS NULL AND f.sequence < r.sequence
                """
            ),
        ]
    }

    private func contradictions(in type: TypeTable) -> [(title: String, sql: String)] {
        let live = "SELECT id FROM record WHERE fields IS NOT NULL AND type = \(type.id)"
        var checks = [
            (
                "rows of \(type.name) without a record",
                "SELECT COUNT(*) FROM \(type.table) WHERE record NOT IN (\(live))"
            ),
            (
                "records missing in \(type.name)",
                "SELECT COUNT(*) FROM (\(live) EXCEPT SELECT record FROM \(type.table))"
            ),
            (
                "rows of \(type.name) that disagree with their record",
                """
                SELECT COUNT(*)
                FROM \(type.table) t
                JOIN record r ON r.id = t.record
                WHERE t.zone <> r.zone OR t.sequence <> r.sequence
                    OR t.created_by IS NOT record_creator(r.head)
                    OR t.modified_by IS NOT record_modifier(r.head)
                """
            ),
        ]
        for field in type.partedFields {
            let table = field.isLocation ? field.placeTable : field.elementTable
            let orphans = "SELECT COUNT(*) FROM \(table) WHERE record NOT IN (\(live))"
            checks.append(("entries of \(field.name) without a record", orphans))
        }
        if type.hasWords {
            let orphans = "SELECT COUNT(*) FROM \(type.wordTable) WHERE abs(rowid) NOT IN (\(live))"
            checks.append(("words without a record", orphans))
        }
        return checks
    }
}
