extension PracticeRow {
    static let measuring: [PracticeRow] = [
        PracticeRow(
            "Two containers, two identifiers",
            [
                17: [
                    "container use iCloud.org.example.clowns", "record show surprise",
                    "expect error unknownItem", "container list", "expect identifiers = 2",
                ]
            ]),
        PracticeRow(
            "A container's name is warned about",
            [18: ["container create parties", "expect warned = 2", #"expect warnings ~ "reverse-DNS""#]]),
        PracticeRow(
            "What the service said and what the app chose",
            [
                27: [
                    "fault add zone-busy", "sync", #"expect again = "in 1 s""#, "fault add limit-exceeded",
                    "expect sent = 20",
                ],
                43: [
                    "fault add response-lost", "expect error serverResponseLost", "party list",
                    "expect count 3",
                ],
            ]),
        PracticeRow(
            "Who pays for stored data, and cleaning up",
            [
                38: [
                    "storage", #"expect paidBy = "the app""#, "expect paidBy[2] = alice", "photo remove",
                    "storage", "expect files = 2", "expect error quotaExceeded",
                ]
            ]),
        PracticeRow(
            "A check list of the app's own operations",
            [
                42: [
                    "batch save 12 --one-by-one", "checklist", "expect keptRules", "batch save 12",
                    "checklist", "expect keptRules",
                ]
            ]),
        PracticeRow(
            "Telemetry: errors by operation",
            [
                42: ["stats", "expect endpoint = records/modify", "expect share"],
                58: ["runaway 20", "telemetry", "expect clientErrors = 1", "expect contains throttled"],
            ]),
        PracticeRow(
            "Who fills the database, why saves fail, and who may save",
            [
                61: [
                    "console usage", #"expect text ~ "bob""#, "expect error permissionFailure",
                    "console performance", #"expect text ~ "accessDenied""#, "console logs",
                    "console roles", "expect text", "console audit", #"expect text ~ "removeGrant""#,
                ]
            ]),
        PracticeRow(
            "Another developer sees no private notes",
            [
                60: [
                    "note add", "console records type=Party", "console own --sign-in bob type=Note",
                    "expect rows = 0", "console own --sign-in alice type=Note", "expect text",
                ]
            ]),
    ]
}
