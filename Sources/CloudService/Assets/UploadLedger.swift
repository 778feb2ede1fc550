import AssetStore
import Records

/// Which upload tickets have served, and how many bytes of files wait for a record, of whom and where.
///
/// Bytes count from the moment at which they are announced or come in, until a record takes the file or the
/// file is thrown away: so nobody fills the disk beside the quotas.
struct UploadLedger: Sendable {
    /// Somebody in a container.
    struct Person: Hashable, Sendable {
        var container: String
        var name: String
    }

    private struct Entry: Sendable {
        var person: Person
        var database: String
        var bytes: Int64
        /// When the file is thrown away; nil while it is being received.
        var due: Timestamp?
    }

    /// What waits of one person.
    private struct Sum: Sendable {
        var bytes: Int64 = 0
        var files = 0
    }

    private enum Name: Hashable, Sendable {
        case receiving(Int)
        case received(String)
    }

    private var entries: [Name: Entry] = [:]
    private var people: [Person: Sum] = [:]
    private var databases: [String: Int64] = [:]
    /// The tickets of completed uploads, until they expire.
    private var served: [Int64: Timestamp] = [:]
    private var tickets: Int64 = 0
    private var receipts = 0

    /// A number for a new ticket.
    mutating func newTicket() -> Int64 {
        tickets += 1
        return tickets
    }

    /// Bytes on their way to a database.
    func bytes(for database: String) -> Int64 { databases[database] ?? 0 }

    /// Files of somebody that are being received or wait for a record.
    func files(of person: Person) -> Int { people[person]?.files ?? 0 }

    // MARK: One upload

    /// Begins an upload of so many bytes, if that is known, and returns the number under which it goes on.
    ///
    /// Throws `accessDenied` for a ticket that has served, and `quotaExceeded` when too much waits already:
    /// bytes by `limit`, or `files`.
    mutating func begin(
        _ ticket: UploadTicket, by person: Person, expecting bytes: Int64?, limit: Int64, files most: Int
    ) throws(RecordError) -> Int {
        if served[ticket.number] != nil { throw Self.hasServed(ticket) }
        if files(of: person) >= most { throw Self.tooMuch("\(most) uploaded files", "waitingUploads") }
        receipts += 1
        let number = receipts
        add(Entry(person: person, database: ticket.database, bytes: 0), .receiving(number))
        do throws(RecordError) {
            try grow(number, to: bytes ?? 0, limit: limit)
        } catch {
            giveUp(number)
            throw error
        }
        return number
    }

    /// Counts an upload that has become larger than was known. Throws `quotaExceeded` when that is too much.
    mutating func grow(_ number: Int, to bytes: Int64, limit: Int64) throws(RecordError) {
        guard var entry = entries[.receiving(number)], bytes > entry.bytes else { return }
        let change = bytes - entry.bytes
        if (people[entry.person]?.bytes ?? 0).addingSaturated(change) > limit {
            throw Self.tooMuch("\(limit) bytes of uploaded files", "waitingUploadBytes")
        }
        entry.bytes = bytes
        entries[.receiving(number)] = entry
        count(change, entry)
    }

    /// Ends an upload that has come in whole: its ticket has served, and its file waits until it is due.
    ///
    /// Throws `accessDenied` when another upload with the same ticket was faster.
    mutating func complete(
        _ number: Int, with ticket: UploadTicket, as upload: ReceivedUpload, due: Timestamp
    ) throws(RecordError) {
        if served[ticket.number] != nil { throw Self.hasServed(ticket) }
        served[ticket.number] = ticket.expires
        guard var entry = entries[.receiving(number)] else { return }
        remove(.receiving(number))
        entry.bytes = upload.size
        entry.due = due
        add(entry, .received(upload.uploadID))
    }

    /// Ends an upload that did not come in. Its ticket can be used again.
    mutating func giveUp(_ number: Int) { remove(.receiving(number)) }

    /// Notes a file that needed no upload: it takes up nothing, and is thrown away in its time as well.
    mutating func offered(_ upload: ReceivedUpload, to person: Person, in database: String, due: Timestamp) {
        add(Entry(person: person, database: database, bytes: 0, due: due), .received(upload.uploadID))
    }

    /// Forgets files that records have taken.
    mutating func taken(_ uploads: some Sequence<ReceivedUpload>) {
        for upload in uploads { remove(.received(upload.uploadID)) }
    }

    // MARK: Time

    /// Whether nothing will have to be forgotten in its time.
    var isEmpty: Bool { entries.isEmpty && served.isEmpty }

    /// Forgets what is due, and the tickets that have expired; answers in which databases there are files to
    /// be thrown away.
    mutating func sweep(at now: Timestamp) -> Set<String> {
        served = served.filter { now < $0.value }
        var found: Set<String> = []
        for (name, entry) in entries {
            guard let due = entry.due, due < now else { continue }
            found.insert(entry.database)
            remove(name)
        }
        return found
    }

    // MARK: Sums

    private mutating func add(_ entry: Entry, _ name: Name) {
        remove(name)
        entries[name] = entry
        count(entry.bytes, files: 1, entry)
    }

    private mutating func remove(_ name: Name) {
        guard let entry = entries.removeValue(forKey: name) else { return }
        count(-entry.bytes, files: -1, entry)
    }

    private mutating func count(_ change: Int64, files: Int = 0, _ entry: Entry) {
        var sum = people[entry.person] ?? Sum()
        sum.bytes += change
        sum.files += files
        people[entry.person] = sum.files == 0 ? nil : sum
        let ofDatabase = (databases[entry.database] ?? 0) + change
        databases[entry.database] = ofDatabase == 0 ? nil : ofDatabase
    }

    // MARK: Errors

    private static func hasServed(_ ticket: UploadTicket) -> RecordError {
        RecordError(
            .accessDenied, "a file was uploaded to this URL already", culprit: ticket.fieldName,
            nextStep: "ask for a URL for each file with assets/upload"
        )
    }

    private static func tooMuch(_ amount: String, _ limit: String) -> RecordError {
        RecordError(
            .quotaExceeded, "more than \(amount) wait for a record", culprit: limit,
            nextStep: "save the records of the files that were uploaded, then upload others"
        )
    }
}
