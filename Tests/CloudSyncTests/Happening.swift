import CloudletServer

@testable import TestKit

/// An event of a story: an edit, a sync, a network change or a loss of data.
enum Happening: CustomStringConvertible, Sendable {
    case type(device: Int, note: Int, word: String, place: Int)
    case takeOut(device: Int, note: Int, place: Int)
    case delete(device: Int, note: Int)
    case amount(device: Int, receipt: Int, value: Int)
    case sync(device: Int)
    /// While `device` syncs, before its request with the number `request`, the other devices type and sync.
    case meet(device: Int, request: Int, others: [Int], note: Int, word: String)
    case offline(device: Int)
    case online(device: Int)
    case fault(device: Int, FaultKind, endpoint: String)
    /// A push arrives. Pushes without such an event are lost.
    case push(device: Int)
    /// The server is backed up.
    case backup
    /// The server is restored from the last backup.
    case restore
    /// The server's databases are emptied.
    case reset

    var description: String {
        switch self {
        case .type(let device, let note, let word, let place): "type d\(device) n\(note) \(word) at \(place)"
        case .takeOut(let device, let note, let place): "take-out d\(device) n\(note) at \(place)"
        case .delete(let device, let note): "delete d\(device) n\(note)"
        case .amount(let device, let receipt, let value): "amount d\(device) r\(receipt) \(value)"
        case .sync(let device): "sync d\(device)"
        case .meet(let device, let request, let others, let note, let word):
            "meet d\(device) at \(request) with \(others) n\(note) \(word)"
        case .offline(let device): "offline d\(device)"
        case .online(let device): "online d\(device)"
        case .fault(let device, let name, let endpoint): "fault d\(device) \(name.rawValue) on \(endpoint)"
        case .push(let device): "push d\(device)"
        case .backup: "backup"
        case .restore: "restore"
        case .reset: "reset"
        }
    }

    /// - Parameter losesData: Whether the script includes backups, restores and resets.
    static func script(seed: UInt64, devices: Int, losesData: Bool = false) -> [Happening] {
        var random = SeededNumbers(seed: seed)
        return (0..<Int.random(in: 15...40, using: &random)).map { number in
            let device = Int.random(in: 0..<devices, using: &random)
            let note = Int.random(in: 0..<3, using: &random)
            let place = Int.random(in: 0...6, using: &random)
            let word = "w\(number)d\(device)"
            switch Int.random(in: 0..<(losesData ? 24 : 20), using: &random) {
            case 0..<6: return .type(device: device, note: note, word: word, place: place)
            case 6: return .takeOut(device: device, note: note, place: place)
            case 7: return .delete(device: device, note: note)
            case 8, 9: return .amount(device: device, receipt: note, value: number)
            case 10..<14: return .sync(device: device)
            case 14: return .offline(device: device)
            case 15: return .online(device: device)
            case 16: return .push(device: device)
            case 20, 21: return .backup
            case 22: return .restore
            case 23: return place < 5 ? .restore : .reset
            case 17:
                let others = (0..<devices).filter { $0 != device && Bool.random(using: &random) }
                return .meet(device: device, request: place % 4 + 1, others: others, note: note, word: word)
            default:
                let (name, endpoint) = faults[Int.random(in: 0..<faults.count, using: &random)]
                return .fault(device: device, name, endpoint: endpoint)
            }
        }
    }

    private static let faults: [(FaultKind, String)] = [
        (.responseLost, "records/modify"), (.responseLost, "records/modify"),
        (.networkFailureBefore, "records/modify"), (.networkFailureBefore, "changes/zone"),
        (.zoneBusy, "records/modify"), (.unavailable, "changes/database"), (.rateLimited, "records/modify"),
        (.tokenExpired, "changes/zone"), (.tokenExpired, "changes/database"),
        (.limitExceeded, "records/modify"), (.quotaFull, "records/modify"), (.responseLost, "zones/modify"),
    ]
}
