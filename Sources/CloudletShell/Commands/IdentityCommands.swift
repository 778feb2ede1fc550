import CommandShell

/// Commands that select the person and the device as which later commands act.
struct IdentityCommands {
    let session: CloudSession
    /// Returns the number of the current person's changes that this device has not sent; nil if unknown.
    let unsentCount: @Sendable () async -> Int?

    private static let group = "People and devices"

    var commands: [CommandSpec] { [actAs, onDevice, signOut] }

    private var actAs: CommandSpec {
        CommandSpec(
            ["as"],
            group: Self.group,
            summary: "sign in as a person",
            arguments: [ArgumentSpec("PERSON", .person)],
            details: """
                In the development environment a name is enough to sign in; a new name is a new person.
                If the server cannot be reached, the data on this device can be used, and the person is \
                signed in when the server answers again; if it then requires a password: sign-in PERSON.
                """,
            examples: ["as alice"]
        ) { arguments in
            let person = try arguments.name("PERSON")
            return .work {
                await session.enter(try await session.account(of: person))
                guard let line = await session.offlineLine else {
                    return Answer.message("signed in as \(person)", facts: await place)
                }
                // At the start of a shell, the answer is not printed.
                session.environment.tell(line)
                return Answer(form: .message, facts: await place)
            }
        }
    }

    private var onDevice: CommandSpec {
        CommandSpec(
            ["on"],
            group: Self.group,
            summary: "use another device",
            arguments: [ArgumentSpec("DEVICE", .device)],
            flags: [
                FlagSpec(
                    "profile", "KIND", .choice(DeviceProfile.allCases.map(\.rawValue)),
                    "the kind of device")
            ],
            details: """
                A watch has space for short lists and thumbnails, not for full pictures. It has no dialog \
                for sharing, so people share and accept on another device.
                """,
            examples: ["on phone", "on wrist --profile watch"]
        ) { arguments in
            let device = try arguments.name("DEVICE")
            let profile: DeviceProfile? = try arguments.choice("profile")
            return .work {
                await session.use(device: device, profile: profile)
                return Answer.message("on \(device)", facts: await place)
            }
        }
    }

    private var signOut: CommandSpec {
        CommandSpec(
            ["sign-out"],
            group: Self.group,
            summary: "sign out: reading public data still works, writing does not",
            examples: ["sign-out"]
        ) { _ in
            .work {
                let context = await session.context
                let unsent = context.person == nil ? nil : await unsentCount()
                await session.signOut()
                return Answer.message(
                    Self.farewell(to: context.person, unsent, context.device), facts: await place)
            }
        }
    }

    private static func farewell(to person: String?, _ unsent: Int?, _ device: String) -> String {
        guard let person else { return "nobody was signed in" }
        guard let unsent, unsent > 0 else { return "signed out" }
        let changes = Answer.counted(unsent, "unsent change")
        let stay = unsent == 1 ? "stays" : "stay"
        return "signed out; \(changes) \(stay) on \(device) until \(person) signs in again"
    }

    private var place: [AnswerField] {
        get async {
            let context = await session.context
            return [
                AnswerField("person", Value(context.person)), AnswerField("device", .text(context.device)),
            ]
        }
    }
}
