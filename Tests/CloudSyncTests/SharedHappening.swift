import CloudletServer

@testable import TestKit

/// An event of a story about shared notes. Devices 0 and 1 are the owner's, the others the guest's.
enum SharedHappening: CustomStringConvertible, Sendable {
    case type(device: Int, note: Int, word: String, place: Int)
    /// Removes a word from a note.
    case erase(device: Int, note: Int, place: Int)
    /// Increases a number that all devices change.
    case add(device: Int, note: Int, Int64)
    /// Sets a number that only this device changes.
    case mark(device: Int, note: Int, Int64)
    case delete(device: Int, note: Int)
    case sync(device: Int)
    case offline(device: Int)
    case online(device: Int)
    case fault(device: Int, FaultKind, endpoint: String)
    /// The owner moves a note out of the share, or back.
    case move(device: Int, note: Int)
    case share(readOnly: Bool)
    case leave
    case remove
    case stop

    var description: String {
        switch self {
        case .type(let device, let note, let word, let place): "type d\(device) n\(note) \(word) at \(place)"
        case .erase(let device, let note, let place): "erase d\(device) n\(note) at \(place)"
        case .add(let device, let note, let number): "add d\(device) n\(note) \(number)"
        case .mark(let device, let note, let number): "mark d\(device) n\(note) \(number)"
        case .delete(let device, let note): "delete d\(device) n\(note)"
        case .sync(let device): "sync d\(device)"
        case .offline(let device): "offline d\(device)"
        case .online(let device): "online d\(device)"
        case .fault(let device, let name, let endpoint): "fault d\(device) \(name.rawValue) on \(endpoint)"
        case .move(let device, let note): "move d\(device) n\(note)"
        case .share(let readOnly): readOnly ? "share to read" : "share"
        case .leave: "leave"
        case .remove: "remove"
        case .stop: "stop"
        }
    }

    static func script(seed: UInt64) -> [SharedHappening] {
        var random = SeededNumbers(seed: seed)
        return (0..<Int.random(in: 20...50, using: &random)).map { number in
            let device = Int.random(in: 0..<4, using: &random)
            let note = Int.random(in: 0..<4, using: &random)
            let place = Int.random(in: 0...6, using: &random)
            switch Int.random(in: 0..<30, using: &random) {
            case 0..<8: return .type(device: device, note: note, word: "w\(number)d\(device)", place: place)
            case 8: return .delete(device: device, note: note)
            case 9..<14: return .sync(device: device)
            case 14: return .offline(device: device)
            case 15: return .online(device: device)
            case 16: return .move(device: device % 2, note: note)
            case 17: return .leave
            case 18: return place < 3 ? .remove : .stop
            case 19, 20: return .share(readOnly: place < 2)
            case 21, 22: return .erase(device: device, note: note, place: place)
            case 23, 24: return .add(device: device, note: note, Int64(place + 1))
            case 25, 26: return .mark(device: device, note: note, Int64(number))
            default:
                let (name, endpoint) = faults[Int.random(in: 0..<faults.count, using: &random)]
                return .fault(device: device, name, endpoint: endpoint)
            }
        }
    }

    private static let faults: [(FaultKind, String)] = [
        (.responseLost, "records/modify"), (.networkFailureBefore, "records/modify"),
        (.networkFailureBefore, "changes/zone"), (.zoneBusy, "records/modify"),
        (.unavailable, "changes/database"), (.tokenExpired, "changes/zone"),
        (.tokenExpired, "changes/database"), (.limitExceeded, "records/modify"),
    ]
}
