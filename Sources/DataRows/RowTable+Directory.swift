/// The tables of a directory.
extension RowTable {
    /// The last numbers that were given, because a number is never used again.
    package static let directoryNumber = RowTable(
        "directory_number", key: [.text("subject")], [.integer("last")])

    package static let secret = RowTable("secret", key: [.text("name")], [.bytes("bytes")])

    /// All tables of a directory.
    package static let ofDirectory: [RowTable] = ofPeople + ofContainers + ofOperators + [directoryNumber]

    private static let ofPeople = [
        RowTable(
            "account", key: [.text("id")],
            [
                .text("name"), .text("email"), .text("phone"), .text("given_name"), .text("family_name"),
                .text("password"), .text("status"), .integer("created_at"), .integer("quota_bytes"),
                .bytes("email_hash"), .bytes("phone_hash"),
            ]),
        RowTable(
            "session", key: [.bytes("hash")],
            [
                .text("account"), .text("container"), .text("environment"), .integer("lifetime"),
                .integer("seen_at"), .integer("created_at"), .integer("is_open"),
            ]),
        RowTable(
            "container_user", key: [.text("container"), .text("account")],
            [.text("user_record_name"), .integer("discoverable")]),
        RowTable("linked_address", key: [.text("address")], [.text("account")]),
    ]

    private static let place: [Column] = [.text("container"), .text("environment")]

    private static let ofContainers = [
        RowTable("container", key: [.text("name")], [.integer("created_at"), .text("fallback_url")]),
        secret,
        RowTable(
            "api_token", key: [.bytes("hash")],
            [.text("id")] + place + [
                .text("label"), .text("origins"), .text("callback"), .integer("created_at"),
                .integer("revoked_at"),
            ]),
        RowTable(
            "server_key", key: [.text("id")],
            place + [
                .text("label"), .bytes("public_key"), .text("owner"), .integer("created_at"),
                .integer("revoked_at"),
            ]),
        RowTable("schema_type", key: place + [.text("type")]),
        RowTable(
            "schema_field", key: place + [.text("type"), .text("field")],
            [.integer("kind"), .integer("is_encrypted"), .integer("indexes"), .integer("number")]),
        RowTable(
            "schema_grant", key: place + [.text("type"), .text("role")], [.integer("permissions")]),
        RowTable("schema_role", key: place + [.text("role")]),
        RowTable("role_member", key: place + [.text("role"), .text("user_record_name")]),
        RowTable(
            "push_token", key: place + [.text("token")],
            [
                .text("service"), .text("user_record_name"), .text("client"), .integer("created_at"),
                .bytes("session"),
            ]),
        RowTable("badge", key: place + [.text("user_record_name")], [.integer("value")]),
        RowTable(
            "shared_zone", key: [.integer("number")],
            place + [.text("user_record_name"), .text("owner"), .text("zone"), .integer("ended_at")]),
    ]

    private static let ofOperators = [
        RowTable(
            "operator", key: [.text("name")], [.text("role"), .text("password"), .integer("created_at")]),
        RowTable("operator_container", key: [.text("operator"), .text("container")], [.text("role")]),
        RowTable(
            "audit_entry", key: [.integer("number")],
            [
                .integer("at"), .text("operator"), .text("container_name"), .text("environment"),
                .text("action"), .text("subject"), .text("before"), .text("after"),
            ]),
        RowTable(
            "audit_share", key: [.text("operator"), .text("action")], [.integer("entries")]),
    ]
}
