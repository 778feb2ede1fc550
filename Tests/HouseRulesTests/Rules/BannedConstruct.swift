// Owns the table of what code in Sources must not do, and where it may after all.

/// One banned construct: how to recognise it, where it is free, and where a reason beside it is enough.
struct BannedConstruct: Sendable {
    let name: String
    let remedy: String
    /// Beginnings of paths where nothing is said.
    var freeIn: [String] = []
    /// Beginnings of paths where a plain comment on the line or directly above it, saying why, is enough.
    var reasonedIn: [String] = []
    /// Whether the construct begins at a token.
    let isAt: @Sendable (_ place: Int, _ file: SourceFile) -> Bool
}

extension BannedConstruct {
    static let all = [
        forcedTry, forcedCast, forcedUnwrap, impliedUnwrap, printing, untypedDictionary,
        hiddenTime, hiddenIdentifier, hiddenChance, sleeping, crash, looseTask, uncheckedSendable,
    ]

    /// Where clocks, identifiers and chance come from, to be passed on.
    private static let wiring = [
        "Sources/CloudletServer/", "Sources/clown-central/", "Sources/cloudlet-command/",
        "Sources/CloudletTesting/", "Sources/Benchmarks/",
        "Sources/CommandShell/Program/Machine+Current.swift",
    ]
    /// Source compatibility forces a few things on the CK facade, each with its reason.
    private static let facade = ["Sources/Cloudlet/"]
    private static let everywhere = ["Sources/"]
    /// The command lines and the shell's renderer.
    private static let speaking = [
        "Sources/clown-central/", "Sources/cloudlet-command/", "Sources/Benchmarks/",
        "Sources/CommandShell/Rendering/", "Sources/CommandShell/Terminal/",
    ]

    static let forcedTry = BannedConstruct(
        name: "try!", remedy: "Handle the error, or let it pass with try", reasonedIn: facade
    ) { place, file in
        file.text(place) == "try" && file.touchesNext(place) && file.text(place + 1) == "!"
    }

    static let forcedCast = BannedConstruct(
        name: "as!", remedy: "Cast with as? and treat the other case", reasonedIn: facade
    ) { place, file in
        file.text(place) == "as" && file.touchesNext(place) && file.text(place + 1) == "!"
    }

    static let forcedUnwrap = BannedConstruct(
        name: "a force unwrap", remedy: "Bind it with guard let or if let, or give it a default",
        reasonedIn: facade
    ) { place, file in
        file.isPostfixMark(place) && !file.isForcedKeyword(place) && !file.endsType(place)
    }

    static let impliedUnwrap = BannedConstruct(
        name: "an implicitly unwrapped type", remedy: "Make it optional, or set it in init", freeIn: facade
    ) { place, file in
        file.isPostfixMark(place) && file.endsType(place)
    }

    static let printing = BannedConstruct(
        name: "print", remedy: "Return the value and let the renderer show it, or log it", freeIn: speaking
    ) { place, file in
        ["print", "debugPrint", "dump"].contains(file.text(place)) && file.text(place + 1) == "("
            && ![".", "func"].contains(file.text(place - 1))
    }

    static let untypedDictionary = BannedConstruct(
        name: "[String: Any]", remedy: "Give the value a type of its own", reasonedIn: facade
    ) { place, file in
        let end = file.text(place + 3) == "any" ? place + 4 : place + 3
        return file.text(place) == "[" && ["String", "AnyHashable"].contains(file.text(place + 1))
            && file.text(place + 2) == ":" && file.text(end) == "Any"
    }

    static let hiddenTime = BannedConstruct(
        name: "the time of day", remedy: "Take the clock from outside; only the wiring reads it",
        freeIn: wiring, reasonedIn: facade
    ) { place, file in
        file.callsWithoutArguments("Date", at: place)
            || file.isMember(
                "now", of: ["Date", "ContinuousClock", "SuspendingClock", "DispatchTime"], at: place)
            || file.text(place) == "Date" && file.text(place + 1) == "("
                && file.text(place + 2) == "timeIntervalSinceNow"
            || file.callsWithoutArguments("ContinuousClock", at: place)
    }

    static let hiddenIdentifier = BannedConstruct(
        name: "UUID()", remedy: "Take the maker of identifiers from outside; only the wiring has one",
        freeIn: wiring, reasonedIn: facade
    ) { place, file in
        file.callsWithoutArguments("UUID", at: place)
    }

    static let hiddenChance = BannedConstruct(
        name: "a random number", remedy: "Pass a seeded generator in and draw with using:",
        freeIn: wiring, reasonedIn: facade
    ) { place, file in
        if file.text(place) == "SystemRandomNumberGenerator" {
            return true
        }
        guard ["random", "randomElement", "shuffled", "shuffle"].contains(file.text(place)),
            file.text(place - 1) == ".", file.text(place + 1) == "(", let close = file.close(of: place + 1)
        else { return false }
        return !file.tokens[place...close].contains { $0.text == "using" }
    }

    static let sleeping = BannedConstruct(
        name: "Task.sleep", remedy: "Wait for the event, or on a clock that is passed in",
        freeIn: wiring, reasonedIn: facade
    ) { place, file in
        file.isMember("sleep", of: ["Task"], at: place)
            || ["sleep", "usleep"].contains(file.text(place)) && file.text(place + 1) == "("
                && ![".", "func"].contains(file.text(place - 1))
    }

    static let crash = BannedConstruct(
        name: "fatalError",
        remedy: "Throw a RecordError; if no input can reach it, say why on the line above",
        reasonedIn: everywhere
    ) { place, file in
        ["fatalError", "preconditionFailure"].contains(file.text(place)) && file.text(place + 1) == "("
    }

    static let looseTask = BannedConstruct(
        name: "a task without an owner", remedy: "Use a task group or a run() in the service group",
        reasonedIn: facade
    ) { place, file in
        guard file.text(place) == "Task", file.text(place - 1) != "." else { return false }
        let before = file.text(place - 1)
        let isKept = ["=", "(", ",", "return", "["].contains(before) && file.text(place - 2) != "_"
        let name = file.isMember("detached", of: ["Task"], at: place) ? place + 2 : place
        return !isKept && file.startsClosure(after: name)
    }

    static let uncheckedSendable = BannedConstruct(
        name: "an unchecked promise about concurrency",
        remedy: "Use a value, an actor or a Mutex; else say what makes it safe on the line above",
        reasonedIn: everywhere
    ) { place, file in
        file.text(place) == "@" && file.text(place + 1) == "unchecked"
            || file.text(place) == "nonisolated" && file.text(place + 1) == "("
                && file.text(place + 2) == "unsafe"
    }
}
