import Foundation
import GRDB
import RecordStore
import Records

extension StoreMigrations {
    /// The migration that adds the tables of shares. It never changes once released.
    static let shareTables = """
        -- Shares, ended ones included until that is forgotten. Their terms are in the heads of their records.
        CREATE TABLE share (
            id INTEGER PRIMARY KEY,             -- the id of the share's record
            zone INTEGER NOT NULL,
            name TEXT NOT NULL,                 -- the name of the share's record
            root TEXT,                          -- the name of the root; NULL: the share covers its zone
            end_sequence INTEGER,               -- the number of its end; NULL: it goes on
            end_time INTEGER                    -- milliseconds since 1970; NULL: it goes on
        ) STRICT;

        -- Whether a record is the root of a share.
        CREATE INDEX share_by_root ON share (zone, root) WHERE end_sequence IS NULL;

        -- One row for each record that a share of records covers or covered.
        CREATE TABLE share_feed (
            share INTEGER NOT NULL,
            zone INTEGER NOT NULL,
            name TEXT NOT NULL,
            sequence INTEGER NOT NULL,          -- the number of its last change, entering or leaving
            entered INTEGER NOT NULL,           -- the number at which it first came under the share
            gone_at INTEGER,                    -- milliseconds since 1970; NULL: the share covers it
            PRIMARY KEY (share, name)
        ) WITHOUT ROWID, STRICT;

        -- The feed of a share is a walk along this index.
        CREATE INDEX share_feed_by_change ON share_feed (share, sequence);

        -- Which share covers a record. A record is covered by one share.
        CREATE UNIQUE INDEX share_feed_by_record ON share_feed (zone, name) WHERE gone_at IS NULL;

        -- To be forgotten in their time.
        CREATE INDEX share_feed_gone ON share_feed (gone_at) WHERE gone_at IS NOT NULL;

        -- People who joined a share.
        CREATE TABLE share_member (
            share INTEGER NOT NULL,
            person TEXT NOT NULL,
            joined INTEGER NOT NULL,            -- the number at which the person joined
            ended INTEGER,                      -- the number at which it ended for them; NULL: not yet
            horizon INTEGER NOT NULL,           -- the number at which an earlier membership ended, or 0
            PRIMARY KEY (share, person)
        ) WITHOUT ROWID, STRICT;

        -- What is shared with a person.
        CREATE INDEX share_member_by_person ON share_member (person);

        -- The short GUIDs of roots, and of zones under the name cloudkit.zoneshare.
        CREATE TABLE short_guid (
            guid TEXT PRIMARY KEY,
            zone INTEGER NOT NULL,
            name TEXT NOT NULL,
            UNIQUE (zone, name)
        ) WITHOUT ROWID, STRICT;

        -- The number of the last row of share_feed that was forgotten.
        ALTER TABLE zone ADD COLUMN share_horizon INTEGER NOT NULL DEFAULT 0;
        """

    /// From this migration on, each member has a horizon of their own. Before, the horizon of the zone
    /// expired the tokens of all members; now it is only the first horizon of people who join.
    private static let memberHorizons = """
        UPDATE share_member
        SET horizon = MAX(share_member.horizon, z.share_horizon)
        FROM share s
        JOIN zone z ON z.id = s.zone
        WHERE s.id = share_member.share
        """

    /// Ends the memberships of people who may not even read, which stayed open in earlier versions.
    static func settleMembers(_ database: Database) throws {
        try database.execute(sql: memberHorizons)
        let open = try Row.fetchAll(
            database,
            sql: """
                SELECT m.share, m.person, r.head
                FROM share_member m
                JOIN record r ON r.id = m.share
                WHERE m.ended IS NULL
                """)
        for row in open {
            let (share, person, head): (Int64, String, [UInt8]) = (row[0], row[1], Array(row[2] as Data))
            let sharing = head.withUnsafeBytes { RecordHead($0).sharing }
            guard let terms = sharing?.terms, !terms.members.contains(person) else { continue }
            try database.execute(sql: "UPDATE store SET sequence = sequence + 1")
            try database.execute(
                sql: """
                    UPDATE zone
                    SET sequence = (SELECT sequence FROM store)
                    WHERE id = (SELECT zone FROM share WHERE id = ?)
                    """, arguments: [share])
            try database.execute(
                sql: """
                    UPDATE share_member
                    SET ended = (SELECT sequence FROM store)
                    WHERE share = ? AND person = ?
                    """, arguments: [share, person])
        }
    }
}
