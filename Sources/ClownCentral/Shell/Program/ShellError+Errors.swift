public import CloudSync
public import CommandShell
public import LocalReplica
public import MirroredStore

extension RepositoryError: ShellErrorConvertible {
    var shellError: ShellError {
        switch self {
        case .unreadable(let recordType, let recordName, let field):
            let message = "the \(recordType) record \(recordName) has no usable field \(field)"
            return ShellError(
                code: "unreadableRecord", message: message,
                remedy: "correct the record with the program that wrote it, or delete it")
        case .noFile(let photo, let field):
            return ShellError(
                code: "noFile", message: "the photo \(photo) has no \(field)",
                remedy: "photo remove PHOTO, then photo add PARTY FILE")
        case .notSent(let note):
            return ShellError(
                code: "notSent",
                message: "the note `\(note)` is not on the server yet, so it cannot be shared",
                remedy: "sync, then repeat the command")
        case .notShared(let note):
            return ShellError(
                code: "notShared", message: "the note `\(note)` is not shared",
                remedy: "share add \(Quoting.name(note) ?? "NOTE") --with ADDRESS")
        case .ownNote(let note, let remedy):
            return ShellError(
                code: "ownNote", message: "the note `\(note)` is your own", remedy: remedy)
        case .openToAll(let note):
            return ShellError(
                code: "openToAll",
                message: "everybody who has the URL may join the note `\(note)`, so it needs no invitations",
                remedy: "send the URL that `share link` prints; or first: share link "
                    + "\(Quoting.name(note) ?? "NOTE") --private, which removes everybody who joined")
        case .notOffered(let people):
            return ShellError(
                code: "notOffered", message: "this app does not let you share a note \(people)",
                remedy: "help share, for the other ways to share it")
        case .tooLong(let note):
            return ShellError(
                code: "tooLong",
                message: "the note `\(note.prefix(40))…` with its edits is too long for a record",
                remedy: "note add TEXT, to continue in another note")
        case .tooManyEdits(let note):
            return ShellError(
                code: "tooManyEdits",
                message: "you have typed as much into the note `\(note.prefix(40))…` as one person may, "
                    + "deleted text included",
                remedy: "note add TEXT, to continue in another note")
        }
    }
}

extension PostError: ShellErrorConvertible {
    var shellError: ShellError {
        switch self {
        case .missing(let kind, let id):
            ShellError(
                code: "notFound",
                message: "there is no \(kind) \(id) on this device; it may have been deleted",
                remedy: kind == "attachment" ? "attach list POST" : "\(kind) list")
        case .empty(let subject):
            ShellError(code: "invalidPost", message: "\(subject) cannot be empty", remedy: "give one")
        case .severalLines(let subject):
            ShellError(
                code: "invalidPost", message: "\(subject) is one line", remedy: "leave out the line ends")
        case .tooLong(let subject, let limit, let unit):
            ShellError(
                code: "invalidPost", message: "\(subject) has at most \(limit) \(unit)", remedy: "shorten it")
        case .tooMany(let subject, let limit):
            ShellError(
                code: "invalidPost", message: "a post has at most \(limit) \(subject)",
                remedy: subject == "places"
                    ? "place upload POST, then add the next places"
                    : "write another post: post add TITLE TEXT")
        case .noPlaces(let post):
            ShellError(
                code: "noPlaces", message: "no place of the post \(post) is on this device",
                remedy: "place add POST LAT,LON")
        }
    }
}

extension MirroredStoreError: @retroactive ShellErrorConvertible {
    /// The error as a shell prints it, with the store's next step as remedy.
    public var shellError: ShellError {
        ShellError(code: "\(code)", message: "\(culprit): \(reason)", remedy: nextStep)
    }
}

extension SeedError: ShellErrorConvertible {
    var shellError: ShellError {
        switch self {
        case .noFolder(let program):
            ShellError(
                code: "seeds",
                message: "there is no folder Data/Seeds above the program" + (program.map { " \($0)" } ?? ""),
                remedy: "run the program of a checkout, or name the folder: \(SeedSet.folderVariable)=FOLDER")
        case .noSuchSet(let name, let known):
            ShellError(
                code: "seeds", message: "there is no seed set `\(name)`",
                remedy: known.isEmpty
                    ? "create the sets: Data/Seeds/make"
                    : "name one of the sets \(known.joined(separator: ", "))")
        case .badLine(let set, let line, let reason):
            ShellError(
                code: "seeds", message: "line \(line) of the seed set \(set) is not a party: \(reason)",
                remedy: "create the sets again: Data/Seeds/make")
        }
    }
}

extension ReplicaError: @retroactive ShellErrorConvertible {
    /// The error as a shell prints it, with the replica's next step as remedy.
    public var shellError: ShellError {
        ShellError(code: "\(code)", message: "\(culprit): \(reason)", remedy: nextStep)
    }
}

extension SyncBlocked: @retroactive ShellErrorConvertible {
    /// The reason why the sync cannot continue, with the command that ends it.
    public var shellError: ShellError {
        var shellError = ShellError(code: "syncBlocked", message: status.why)
        switch status.accountProblem {
        case .nobody: (shellError.remedy, shellError.exit) = (ShellError.signInRemedy, .notSignedIn)
        case .otherPerson:
            shellError.remedy = "as NAME, with the name of the owner; or another device: on DEVICE"
        case .unknownOwner:
            shellError.remedy = "sync reset --send-all, to keep the data and send it; or sync reset --forget"
        case nil: shellError.remedy = status.stall == nil ? "pending" : "sync again later"
        }
        return shellError
    }
}

extension ShellError {
    /// The next step when a command needs an account and nobody is signed in.
    static let signInRemedy = "as NAME or --as NAME, also while the server is unreachable; or sign-in NAME"
}
