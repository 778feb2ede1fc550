import Cloudlet
import CloudletShell
import CommandShell
import Foundation

extension ValueKind {
    static let party = ValueKind("party")
    static let clown = ValueKind("clown")
    static let photo = ValueKind("photo")
    static let note = ValueKind("note")
    /// A note that another person shares with the signed-in person.
    static let noteOfOthers = ValueKind("noteOfOthers")
    /// A note that is shared, by the signed-in person or by another.
    static let sharedNote = ValueKind("sharedNote")
    /// A participant of the note that the command names first.
    static let participant = ValueKind("participant")
    /// A person who asks for access to the note that the command names first, or is blocked there.
    static let requester = ValueKind("requester")
    static let receipt = ValueKind("receipt")
    static let shoebox = ValueKind("shoebox")
    static let post = ValueKind("post")
    static let draft = ValueKind("draft")
    static let tag = ValueKind("tag")
    /// An attachment of the post that the command names first.
    static let attachment = ValueKind("attachment")
    static let seedSet = ValueKind("seedSet")
}

extension ClownCentralProgram {
    /// Completion candidates for an argument; empty if they cannot be fetched.
    func candidates(
        for kind: ValueKind, beginningWith typed: String, after words: [String]
    ) async -> [Candidate] {
        switch kind {
        case .party:
            return await names(typed, in: await app.parties.table) { party in
                let details = [party.starts.map(MomentText.short), party.place].compactMap { $0 }
                return Candidate(party.name, details.joined(separator: ", "))
            }
        case .clown:
            return await names(typed, in: await app.clowns.table) { Candidate($0.name, $0.act ?? "") }
        case .photo:
            return await names(typed, in: await app.photos.table) {
                Candidate($0.name, Value.pixels(Value.Size($0.size)).text)
            }
        case .note:
            let notes = (try? await app.personalData().repository.notes().models) ?? []
            return notes.map { Self.candidate($0, $0.partyName ?? "") }
        case .noteOfOthers, .sharedNote:
            let shares = ShareRepository(container: await app.cloud.container)
            var notes = (try? await shares.withMe().models) ?? []
            if kind == .sharedNote { notes += (try? await shares.byMe().models) ?? [] }
            return notes.map { shared in
                let owner = shared.isOwn ? "your own" : "of \(shared.share.owner.displayName)"
                return Self.candidate(shared.note, owner)
            }
        case .participant, .requester:
            let shares = ShareRepository(container: await app.cloud.container)
            guard let word = words.first, let note = try? await app.note(Word(word)),
                let shared = try? await shares.shared(note)
            else { return [] }
            if kind == .participant {
                return shared.guests.map { Candidate($0.address ?? $0.displayName, $0.displayName) }
            }
            let people =
                shared.share.requesters.map(\.userIdentity)
                + shared.share.blockedIdentities.map(\.userIdentity)
            return people.map { Candidate($0.displayName) }
        case .receipt:
            let receipts = (try? await app.personalData().repository.receipts().models) ?? []
            return receipts.map { Candidate($0.shop, MomentText.short($0.date)) }
        case .shoebox:
            let boxes = (try? await app.personalData().repository.shoeboxes().models) ?? []
            return boxes.map { Candidate($0.name) }
        case .post, .draft, .tag, .attachment:
            return (try? await candidatesOfPosts(for: kind, after: words)) ?? []
        case .seedSet:
            guard let folder = try? app.seedFolder.get() else { return [] }
            return SeedSet.names(in: folder).map { Candidate($0) }
        default:
            return await app.cloud.candidates(for: kind, after: words)
        }
    }

    private func candidatesOfPosts(
        for kind: ValueKind, after words: [String]
    ) async throws -> [Candidate] {
        let repository = try await app.personalData().posts
        switch kind {
        case .post:
            return try await repository.posts.posts().map {
                Candidate($0.title, $0.tags.joined(separator: ", "))
            }
        case .draft: return try await repository.drafts.drafts().map { Candidate($0.title) }
        case .tag:
            return try await repository.posts.tags().map {
                Candidate($0.name, Answer.counted($0.postCount, "post"))
            }
        default:
            guard let word = words.first else { return [] }
            return try await app.post(Word(word)).attachments.map {
                Candidate($0.name, Value.bytes($0.byteCount).text)
            }
        }
    }

    /// A candidate with the first line of a note. The line is enough, since the beginning of a text names a
    /// note.
    private static func candidate(_ note: Note, _ summary: String) -> Candidate {
        Candidate(String(note.text.prefix { !$0.isNewline }), summary)
    }

    /// Fetches the names that begin with the text, then those that do so without regard to case. So exact
    /// matches come first.
    private func names<Model>(
        _ typed: String,
        in table: RecordTable<Model>,
        candidate: (Model) -> Candidate
    ) async -> [Candidate] {
        let limit = CloudSession.candidateLimit
        var models = (try? await table.names(beginningWith: typed, limit: limit)) ?? []
        if !typed.isEmpty { models += (try? await table.names(ignoringCase: typed)) ?? [] }
        var found: [Candidate] = []
        for name in models.map(candidate) where !found.contains(where: { $0.text == name.text }) {
            found.append(name)
        }
        return Array(found.prefix(limit))
    }
}
