extension PracticeRow {
    static let sharing: [PracticeRow] = [
        PracticeRow(
            "Sharing a note: invite, accept, edit both ways, leave, remove, stop",
            [
                51: [
                    "share add Bring", "expect error notSent", "sync", "share add Bring", "as bob",
                    "share accept $link", "as carol", "share accept $link",
                    "expect error participantMayNeedVerification", "address prove carol@example.org",
                    "share accept $link", "subscribe shared --silent", "subscribe shared --text",
                    "share edit Bring", "push next", "note list", "expect editedBy = Bob", "push next",
                    "expect database = shared", "note edit Bring", "push next", "expect editedBy = Alice",
                    "share leave Bring", "expect none", "share remove Bring", "expect error notFound",
                    "share stop Bring", "expect error notShared", "expect error unknownItem",
                ]
            ]),
        PracticeRow(
            "A share opened by its URL, read only",
            [
                52: [
                    "share link Rules --public --read-only", "share accept $link",
                    #"expect permission = "read only""#, "share edit Rules", "expect error permissionFailure",
                    "share link Rules --private", "expect none",
                ]
            ]),
        PracticeRow(
            "Two owners with equal zone names",
            [
                53: [
                    "share accept $first", "share accept $second", "share list", "expect owner = Alice",
                    "expect owner[2] = Bob", "share edit", #"expect text = "Noses of Bob""#,
                ]
            ]),
        PracticeRow(
            "A watch has no dialog for sharing",
            [
                39: [
                    "share add Bring", "on wrist", "share list", #"expect text = "Bring balloons""#,
                    "share link Bring", "expect error noSharing",
                ]
            ]),
        PracticeRow(
            "A share type that was never created",
            [
                54: [
                    "environment production", "share link Bring --public", "expect error invalidArguments",
                    "environment development", "share link Bring --public", "schema deploy",
                    "environment production", "share link Bring --public",
                    #"expect opens = "everybody, read and write""#,
                ]
            ]),
    ]
}
