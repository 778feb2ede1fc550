import AssetStore
import Records

/// Counts, for each person and database, the uploaded bytes that no record refers to yet, and remembers which
/// upload tickets are used up.
///
/// Bytes count from the moment at which they are announced or received, until a record refers to the file or
/// the file is deleted. Without this, uploads could fill the disk beyond the quotas.
struct UploadLedger: Sendable {
    /// A person in one container.
    struct Person: Hashable, Sendable {
        var container: String
        var name: String
    }

    private struct Entry: Sendable {
        var person: Person
        var database: String
        var bytes: Int64
        /// When the file is deleted; nil while it is being received.
        var due: Timestamp?
    }

    /// Totals of one person's entries.
    private struct Sum: Sendable {
        var bytes: Int64 = 0
        var files = 0
        /// The number of files that are being received.
        var receiving = 0
    }

    private enum EntryKey: Hashable, Sendable {
        case receiving(Int)
        case received(String)
    }

    private var entries: [EntryKey: Entry] = [:]
    private var people: [Person: Sum] = [:]
    private var databases: [String: Int64] = [:]
    /// The tickets of completed uploads, until they expire. Those of other nodes can have equal numbers.
    private var usedTickets: Set<UploadTicket> = []
    /// The number before that of the first ticket of this process.
    private let start: Int64
    private var lastTicket: Int64
    /// Whether tickets of other nodes are valid here.
    private let acceptsOthers: Bool
    private var lastUpload = 0

    /// - Parameters:
    ///   - now: the start of the process. The numbers of its tickets follow from it, so that they differ from
    ///     those of an earlier process, whose used tickets are not known.
    ///   - acceptsOthers: whether the tickets of other processes are valid, since these are nodes of the same
    ///     server.
    init(startedAt now: Timestamp, acceptsOthers: Bool) {
        start = now.milliseconds << 20
        lastTicket = start
        self.acceptsOthers = acceptsOthers
    }

    mutating func newTicket() -> Int64 {
        lastTicket &+= 1
        return lastTicket
    }

    /// Bytes of uploads to a database that no record refers to yet.
    func bytes(for database: String) -> Int64 { databases[database] ?? 0 }

    /// Number of a person's files that are being received or wait for a record.
    func files(of person: Person) -> Int { people[person]?.files ?? 0 }

    // MARK: Uploads

    /// Begins an upload and returns its number, for `grow`, `complete` and `cancel`.
    ///
    /// Throws `accessDenied` for a ticket that is used up, or that a process before the restart of the server
    /// has issued; `quotaExceeded` if the person's waiting uploads have reached `limits.waitingUploadBytes`
    /// or `limits.waitingUploads`; and `tryAgainLater` if `limits.uploadsPerPerson` uploads of the person are
    /// in progress.
    mutating func begin(
        _ ticket: UploadTicket, by person: Person, expecting bytes: Int64?, _ limits: Limits
    ) throws(RecordError) -> Int {
        if usedTickets.contains(ticket) { throw Self.usedTicket(ticket) }
        if !acceptsOthers, ticket.number <= start || ticket.number > lastTicket {
            throw Self.oldTicket(ticket)
        }
        if files(of: person) >= limits.waitingUploads {
            throw Self.tooManyWaiting("\(limits.waitingUploads) uploaded files", "waitingUploads")
        }
        if people[person, default: Sum()].receiving >= limits.uploadsPerPerson {
            throw Self.tooManyInProgress(limits.uploadsPerPerson)
        }
        lastUpload += 1
        let number = lastUpload
        add(Entry(person: person, database: ticket.database, bytes: 0), .receiving(number))
        do throws(RecordError) {
            try grow(number, to: bytes ?? 0, limit: limits.waitingUploadBytes)
        } catch {
            cancel(number)
            throw error
        }
        return number
    }

    /// Counts an upload that is larger than announced. Throws `quotaExceeded` if the person exceeds `limit`.
    mutating func grow(_ number: Int, to bytes: Int64, limit: Int64) throws(RecordError) {
        guard var entry = entries[.receiving(number)], bytes > entry.bytes else { return }
        let change = bytes - entry.bytes
        if (people[entry.person]?.bytes ?? 0).addingSaturated(change) > limit {
            throw Self.tooManyWaiting("\(limit) bytes of uploaded files", "waitingUploadBytes")
        }
        entry.bytes = bytes
        entries[.receiving(number)] = entry
        count(change, entry)
    }

    /// Ends an upload that was received completely. Its ticket is used up, and its file waits for a record
    /// until `due`.
    ///
    /// Throws `accessDenied` if another upload with the same ticket completed first.
    mutating func complete(
        _ number: Int, with ticket: UploadTicket, as upload: ReceivedUpload, due: Timestamp
    ) throws(RecordError) {
        if !usedTickets.insert(ticket).inserted { throw Self.usedTicket(ticket) }
        guard var entry = entries[.receiving(number)] else { return }
        remove(.receiving(number))
        entry.bytes = upload.size
        entry.due = due
        add(entry, .received(upload.uploadID))
    }

    /// Ends an upload that was not received completely. Its ticket can be used again.
    mutating func cancel(_ number: Int) { remove(.receiving(number)) }

    /// Adds a file that the server already had, so that it needed no upload. It counts as zero bytes, and is
    /// due like an uploaded file.
    mutating func addOffered(_ upload: ReceivedUpload, to person: Person, in database: String, due: Timestamp)
    {
        add(Entry(person: person, database: database, bytes: 0, due: due), .received(upload.uploadID))
    }

    /// Removes files to which records now refer.
    mutating func removeTaken(_ uploads: some Sequence<ReceivedUpload>) {
        for upload in uploads { remove(.received(upload.uploadID)) }
    }

    // MARK: Expiry

    /// Whether `sweep` has nothing to remove, now or later.
    var isEmpty: Bool { entries.isEmpty && usedTickets.isEmpty }

    /// Removes due files and expired tickets. Returns the databases in which files must be deleted.
    mutating func sweep(at now: Timestamp) -> Set<String> {
        usedTickets = usedTickets.filter { now < $0.expires }
        var found: Set<String> = []
        for (key, entry) in entries {
            guard let due = entry.due, due < now else { continue }
            found.insert(entry.database)
            remove(key)
        }
        return found
    }

    // MARK: Totals

    private mutating func add(_ entry: Entry, _ key: EntryKey) {
        remove(key)
        entries[key] = entry
        count(entry.bytes, files: 1, entry)
    }

    private mutating func remove(_ key: EntryKey) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        count(-entry.bytes, files: -1, entry)
    }

    private mutating func count(_ change: Int64, files: Int = 0, _ entry: Entry) {
        var sum = people[entry.person] ?? Sum()
        sum.bytes += change
        sum.files += files
        if entry.due == nil { sum.receiving += files }
        people[entry.person] = sum.files == 0 ? nil : sum
        let databaseBytes = (databases[entry.database] ?? 0) + change
        databases[entry.database] = databaseBytes == 0 ? nil : databaseBytes
    }

    // MARK: Errors

    private static func usedTicket(_ ticket: UploadTicket) -> RecordError {
        RecordError(
            .accessDenied, "this URL was used for an upload already", culprit: ticket.fieldName,
            nextStep: "ask for a URL for each file with assets/upload"
        )
    }

    private static func oldTicket(_ ticket: UploadTicket) -> RecordError {
        RecordError(
            .accessDenied, "this URL is from before the server was restarted", culprit: ticket.fieldName,
            nextStep: "ask for a new URL with assets/upload"
        )
    }

    private static func tooManyInProgress(_ limit: Int) -> RecordError {
        RecordError(
            .tryAgainLater, "\(limit) files of this person are being received already",
            culprit: "uploadsPerPerson",
            nextStep: "send the file again to the same URL when another upload has ended", retryAfter: 5
        )
    }

    private static func tooManyWaiting(_ amount: String, _ limit: String) -> RecordError {
        RecordError(
            .quotaExceeded, "more than \(amount) are in no record yet", culprit: limit,
            nextStep: "save the records of the files that were uploaded, then upload others"
        )
    }
}
