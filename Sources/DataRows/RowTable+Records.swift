/// The tables of a database of records.
extension RowTable {
    /// One row: what the whole database shares.
    package static let database = RowTable(
        "database", key: [.integer("identity")],
        [
            .integer("sequence"), .integer("time"), .integer("horizon"), .integer("last_notification"),
            .integer("notification_horizon"),
        ])

    package static let zone = RowTable(
        "zone", key: [.integer("id")],
        [
            .text("name"), .integer("sequence"), .integer("horizon"), .integer("share_horizon"),
            .integer("record_count"), .integer("record_bytes"), .integer("asset_bytes"),
        ])

    /// Live records, and tombstones: rows without fields. The type is a name, because the numbers of types
    /// are those of an engine.
    package static let record = RowTable(
        "record", key: [.integer("id")],
        [
            .integer("zone"), .text("name"), .text("type"), .integer("sequence"), .integer("created_at"),
            .integer("modified_at"), .text("parent"), .bytes("head"), .bytes("fields"),
        ],
        pageRows: 50)

    /// Which record refers to which file.
    package static let assetOwner = RowTable("asset_owner", key: [.text("checksum"), .integer("record")])

    /// The names of the records that were not changed, with a line feed between them; empty: none.
    package static let clientBatch = RowTable(
        "client_batch", key: [.integer("zone"), .text("person"), .text("device")],
        [.integer("sequence"), .bytes("token"), .text("exceptions")])

    /// The people from whose collections notifications were forgotten because there were too many.
    package static let notificationOwner = RowTable(
        "notification_owner", key: [.text("owner")], [.integer("horizon")])

    /// All tables of a database of records.
    package static let ofRecords: [RowTable] = [
        database, zone,
        RowTable(
            "deleted_zone", key: [.text("name")],
            [.integer("sequence"), .integer("reason"), .integer("time")]),
        record,
        RowTable(
            "binding", key: [.integer("zone"), .text("target"), .integer("kind"), .integer("source")]),
        assetOwner,
        RowTable("released_asset", key: [.text("checksum")]),
        RowTable(
            "person_usage", key: [.text("person"), .integer("zone")],
            [.integer("record_count"), .integer("record_bytes"), .integer("asset_bytes")]),
        clientBatch,
        RowTable(
            "share", key: [.integer("id")],
            [
                .integer("zone"), .text("name"), .text("root"), .integer("end_sequence"),
                .integer("end_time"),
            ]),
        RowTable(
            "share_feed", key: [.integer("share"), .text("name")],
            [.integer("zone"), .integer("sequence"), .integer("entered"), .integer("gone_at")]),
        RowTable(
            "share_member", key: [.integer("share"), .text("person")],
            [.integer("joined"), .integer("ended"), .integer("horizon")]),
        RowTable("short_guid", key: [.text("guid")], [.integer("zone"), .text("name")]),
        RowTable(
            "subscription", key: [.integer("id")],
            [.text("owner"), .integer("is_shared"), .text("name"), .bytes("definition")]),
        RowTable(
            "notification", key: [.integer("id")],
            [
                .text("owner"), .text("name"), .integer("is_read"), .integer("time"), .bytes("content"),
            ],
            pageRows: 100),
        notificationOwner,
    ]
}
