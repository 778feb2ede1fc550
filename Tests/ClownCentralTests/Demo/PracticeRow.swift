import Testing

/// A recommended practice with the lines of scenes that show it.
struct PracticeRow: Sendable, CustomTestStringConvertible {
    let title: String
    /// The beginnings of lines that each scene must have, in this order.
    let shown: [Int: [String]]

    init(_ title: String, _ shown: [Int: [String]]) {
        (self.title, self.shown) = (title, shown)
    }

    var testDescription: String { title }

    /// The first text with which no line begins after the line of the previous text; nil if there is none.
    static func missing(_ texts: [String], in lines: [String]) -> String? {
        var rest = lines[...]
        for text in texts {
            guard let index = rest.firstIndex(where: { "\($0) ".hasPrefix("\(text) ") }) else { return text }
            rest = rest[(index + 1)...]
        }
        return nil
    }

    /// All practices.
    static let all: [PracticeRow] = reading + writing + telling + keeping + sharing + measuring

    private static let reading: [PracticeRow] = [
        PracticeRow(
            "Start with no account: read only, then sign in",
            [
                1: ["expect person = none", "party list", "party create", "expect error notAuthenticated"],
                19: [
                    "expect account = noAccount", "party create", "expect error notAuthenticated",
                    "sign-in alice", "expect account = available", "party create",
                ],
                29: [
                    "sign-out", "note list", "expect error notAuthenticated", "party list", "expect ok",
                    "zone fetch Notes", "expect error notAuthenticated", "as bob", "note list",
                    "expect none",
                ],
            ]),
        PracticeRow(
            "A loop, then a batch, with the requests counted",
            [
                9: [
                    "batch save 25 --one-by-one", "expect requests = 25", "batch save 25",
                    "expect requests = 1",
                ]
            ]),
        PracticeRow(
            "A batch of 1,000: limit exceeded, halved",
            [
                9: [
                    "batch save 1000", "expect saved = 1000", #"expect outcome ~ "limit exceeded""#,
                    "expect records[2] = 500",
                ]
            ]),
        PracticeRow(
            "Joining by array conflicts, by back reference does not",
            [
                10: [
                    "attend Gala Bozo --by-array", "expect error serverRecordChanged", "as john",
                    "attend Gala", "expect name = john", #"expect attendees = "alice, john""#,
                ],
                3: ["as bob", "clown assign Zelda --to Coffee", "clown list Coffee", "expect count 2"],
            ]),
        PracticeRow(
            "A contact card by each save policy",
            [
                11: [
                    #"card edit Bozo street="2 Circus Road" --policy changed-keys"#,
                    #"expect street = "2 Circus Road""#,
                    #"card edit Bozo street="3 Circus Road" phone=555-0199"#,
                    "expect error serverRecordChanged",
                    #"card edit Bozo street="3 Circus Road" phone=555-0199 --merge"#,
                    "expect version = merged",
                    #"card edit Bozo street="1 Circus Road" city=Sarasota --policy all-keys"#,
                    "expect hometown = Sarasota",
                ]
            ]),
        PracticeRow(
            "A page of thumbnails, a cursor, the bytes saved",
            [
                4: ["photo list Gala", "expect every thumbnail.width <= 256", "expect saved > 100000"],
                5: ["photo list Gala --limit 2", "expect more = true", "photo next", "expect count 2"],
            ]),
        PracticeRow(
            "A slice near me, words, distances",
            [
                6: [
                    "party list --near 37.7842,-122.4016 --within 5km --sort distance",
                    "expect sorted distance", #"party list --search "BOARD games""#,
                    #"expect every summary ~ "board games""#, "expect distance < 1",
                ],
                39: ["on wrist --profile watch", "party list", "expect count 5"],
            ]),
        PracticeRow(
            "A watch: small results, thumbnails only",
            [
                39: [
                    "on wrist --profile watch", "photo list Anna", "expect every thumbnail.width <= 256",
                    "photo save 01", "expect error noRoom",
                ]
            ]),
    ]

    private static let writing: [PracticeRow] = [
        PracticeRow(
            "Deleting a party takes clowns, photos and files along",
            [
                7: [
                    "party delete Gala", "expect clowns = 2", "expect photos = 2", "status",
                    "expect assetFiles = 2",
                ],
                36: ["record save Prop rope", "record delete odeon", "record show rope", "expect error"],
            ]),
        PracticeRow(
            "A jumbled tree arrives in order",
            [
                8: [
                    #"tree save "Evening Show" --jumbled"#, "expect requests = 1", "expect inOrder = true",
                ]
            ]),
        PracticeRow(
            "Only party admins may create parties",
            [
                14: [
                    "role create PartyAdmin", "schema grant Party create PartyAdmin", "party create Tea",
                    "expect error permissionFailure", "role grant PartyAdmin alice", "party create Tea",
                    "expect ok",
                ]
            ]),
        PracticeRow(
            "A wrong type mended, deployed; an unknown field refused",
            [
                15: [
                    "expect error invalidArguments", "schema delete Gala guests",
                    "record save Gala summer guests=40", "expect guests = 40", "schema deploy",
                    "environment production", "record save Gala summer guests=40", "expect ok",
                ],
                16: [
                    "environment production", "record save Gala summer guests=50 theme=circus",
                    "expect error invalidArguments", #"expect contains "field 'theme'""#,
                ],
            ]),
        PracticeRow(
            "The server throttles a runaway client",
            [21: ["request-rate 5", "runaway 20", "expect retryAfter = 1", "expect heldBack > 10"]]),
        PracticeRow(
            "A chain of operations, cancelled; a dead link; an answer that is too slow",
            [
                37: [
                    "chain 4 --cancel-after 2", "expect outcome[3] = operationCancelled", "network off",
                    "chain 2 --quality user-initiated", "expect outcome = networkUnavailable",
                    "chain 1 --quality utility --timeout 60", "expect waited > 20", "fault add slow",
                    "chain 1 --quality user-initiated --timeout 1", "expect outcome = networkFailure",
                ],
                47: ["network dead", "party list", "expect error networkFailure"],
            ]),
        PracticeRow(
            "An import by key, run again",
            [22: ["server-key", "import", "expect new > 1000", "import", "expect new = 0"]]),
        PracticeRow(
            "A clown whose party is gone",
            [
                36: [
                    "record save Clown ghost", "clown list", #"expect partyName = "party not found""#,
                ],
                31: ["party delete Gala", "note list", "expect party = Gala"],
            ]),
        PracticeRow(
            "A reference is no string",
            [
                36: [
                    "record save Memo first text=Nose of=plan", "expect of = plan",
                    "record save Memo second text=Nose --points-at about=Tricks/plan",
                    #"expect about = "Tricks/plan""#,
                ]
            ]),
    ]

    private static let telling: [PracticeRow] = [
        PracticeRow(
            "Airplane mode: two pushes, one arrives, the collection has both",
            [
                24: [
                    "push stop", #"party create "While away""#, "zone fill Jokes", "push next",
                    "expect kind = recordZone", "notifications --read", "expect count 2",
                ]
            ]),
        PracticeRow(
            "A receipt over 100 dollars turns blue on all devices",
            [
                32: [
                    "subscribe records Receipt --above total=100", "on phone", "push next",
                    "expect record = elephant", "on tablet", "push next", "expect record = elephant",
                    "notifications --read", "expect kind = readNotification",
                ]
            ]),
        PracticeRow(
            "A future party: the phone is alerted",
            [
                23: [
                    "subscribe parties --future", #"party create "Tonight""#, "push next",
                    #"expect text = "Party time""#, #"expect name = "Tonight""#,
                ]
            ]),
        PracticeRow(
            "A silent push with a badge is refused",
            [33: ["subscribe zone Jokes --silent --badge", "expect error invalidArguments"]]),
        PracticeRow(
            "What pushes need: the capability, the environment, the background mode, the person's settings",
            [
                49: [
                    "push check", "expect set[3] = false", "app background", "push next",
                    "expect outcome = withheld", "push setup --background-mode on", "push next",
                    "expect outcome = delivered", "push allow badge", "expect shown = badge",
                    "push setup --environment production", "expect error pushNotSetUp",
                    "push setup --capability off", "push listen", "expect error pushNotSetUp",
                ]
            ]),
        PracticeRow(
            "Woken by a silent push, the app fetches and reports the result",
            [
                50: [
                    "app background", "sync wake", "expect error pushNotSetUp",
                    "push setup --background-mode on", "sync wake", "expect result = newData", "sync wake",
                    "expect result = noData",
                ]
            ]),
        PracticeRow(
            "Polling against a subscription, in numbers",
            [
                34: [
                    "runaway 144", "expect requests = 144", "push listen", "expect requests = 3",
                    "push next", "expect requests = 0",
                ]
            ]),
        PracticeRow(
            "Notes and a chatty log in one zone, then in two",
            [
                30: [
                    "subscribe zone Both", "push next", "expect zone = Both", "subscribe zone Quiet",
                    "zone fill Log 1", "zone fill Quiet 1", "push next", "expect zone = Quiet",
                ],
                35: [
                    "notifications", "expect count 4", "subscribe zone Notes", "zone fill Readings 20",
                    "notifications", "expect count 1",
                ],
            ]),
        PracticeRow(
            "One subscription for all zones, also for those to come",
            [
                45: [
                    "subscribe everything --silent", "zone fill Riddles", "push next",
                    "expect kind = database", "zone changes", "expect zone = Riddles", "zone fetch Riddles",
                    "expect new = 2", "zone fill Jokes", "push next", "expect kind = database",
                ]
            ]),
        PracticeRow(
            "Find friends",
            [
                20: [
                    "friends", "expect count 0", "discoverable ask --answer yes", "friends",
                    #"expect name = "Bob Bloom""#, "discover carol@example.org", "expect count 0",
                ]
            ]),
    ]

    private static let keeping: [PracticeRow] = [
        PracticeRow(
            "Notes in a zone of their own, edited on two devices offline",
            [
                25: [
                    "on tablet", "network off", "note edit Bring", "on phone", "network off",
                    "note edit Bring", "on tablet", "sync --wait", "on phone", "sync --wait",
                    "expect merged = 1", #"expect text[2] = "Please: Bring balloons and confetti""#,
                ]
            ]),
        PracticeRow(
            "Sync by itself: what is typed goes out, a push fetches what others typed",
            [
                44: [
                    "sync start", "watch pending", "on mac", #"expect text = "Order balloons""#,
                    "on phone", "watch 'note list'", #"expect contains "Call Bozo""#, "sync stop",
                    "expect count 1",
                ]
            ]),
        PracticeRow(
            "A client killed in a long fetch resumes",
            [
                12: [
                    "app kill", "expect ended = killed", "app run", #"expect from = "the last token""#,
                    "expect twice = 0",
                ],
                28: [
                    "app kill", "expect ended = killed", "app run", "expect pending = 0", "note list",
                    "expect count 1",
                ],
            ]),
        PracticeRow(
            "The last writer loses text, contributions keep it",
            [
                40: [
                    "record save Post hello", "record show hello",
                    #"expect body = "Dear clowns, bring pies""#, "note edit Dear", "note edit Dear",
                    #"expect text ~ ", bring pies""#, #"expect text ~ ", bring noses""#,
                    #"expect contains "Bring balloons and confetti""#,
                ],
                25: ["expect merged = 1", #"expect text[2] = "Please: Bring balloons and confetti""#],
            ]),
        PracticeRow(
            "A transport, not a store; models apart from records",
            [
                41: [
                    "network off", "party show Gala", "expect error networkUnavailable", "note list",
                    #"expect text = "Bring balloons""#,
                ]
            ]),
        PracticeRow(
            "Posts with tags, mirrored",
            [
                55: [
                    "tag list", "expect posts[2] = 2", "on tablet", #"expect tags = "animals, party""#,
                ]
            ]),
        PracticeRow(
            "A sensor store coalesced; drafts",
            [
                56: [
                    "place upload Walk", "expect edits = 1", "draft add Title", "expect error invalidPost",
                ]
            ]),
        PracticeRow(
            "Mirrored records by plain HTTP",
            [
                57: [
                    "web private/records/lookup", "expect CD_content_ckAsset[2] = 800000",
                    "expect CD_entityNames = Post:Tag", "expect error notFound",
                ]
            ]),
    ]
}
