import Foundation
import Records

/// The records whose files could not be sent within the server's time limit. Their edits stay pending. They
/// are sent again when no other edit can be sent, after a wait that grows with each failure.
struct SlowUploads {
    private var failures: [RecordID: Int] = [:]
    /// While it lasts, these records are not sent; everything else goes on.
    private(set) var hold: Hold?

    var records: [RecordID] { Array(failures.keys) }

    /// The records that are not sent now.
    func waiting(at now: Date) -> [RecordID] {
        hold?.lasts(at: now) == true ? records : []
    }

    mutating func add(_ late: [RecordID], at now: Date) {
        guard !late.isEmpty else { return }
        for record in late { failures[record, default: 0] += 1 }
        let names = failures.keys.map(\.name).sorted()
        let some = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
        hold = .backOff(
            after: late.compactMap { failures[$0] }.max() ?? 1,
            why: "the files of \(some) take longer to send than the server waits for them; "
                + "they are sent again later, and need a faster connection",
            at: now)
    }

    mutating func remove(_ record: RecordID) {
        failures[record] = nil
        if failures.isEmpty { hold = nil }
    }

    mutating func endWait() { hold = nil }
}
