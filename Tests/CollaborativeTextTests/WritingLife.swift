import CollaborativeText

@testable import TestKit

/// Several devices that type into one text at once. A seed determines their words, and when and in which
/// order the other devices receive them.
///
/// The devices type words such as `<12>` key by key, each with brackets of its own, forwards or backwards,
/// only between whole words. So every word that nobody deleted must be in the text at the end, in one piece.
struct WritingLife {
    private struct Device {
        var text: CollaborativeText
        var inbox: [TextContribution] = []
        /// The contributions that arrive only at the end.
        var late: [TextContribution] = []
        var anchors: [(anchor: TextAnchor, word: String, offset: Int)] = []
    }

    private static var word: Regex<Substring> { #/[<(\[{][0-9]+[>)\]}]/# }

    private var numbers: SeededNumbers
    private var devices: [Device]
    private var all: [TextContribution] = []
    private var words: Set<String> = []
    private var deleted: Set<String> = []
    private(set) var faults: [String] = []

    init(seed: UInt64, devices count: Int = 4) throws {
        numbers = SeededNumbers(seed: seed)
        devices = try (0..<count).map { Device(text: CollaborativeText(site: try TextSite("device-\($0)"))) }
    }

    /// Lets the devices type, delivers all contributions, and checks the texts.
    mutating func run(turns: Int) throws {
        for _ in 0..<turns { try turn(of: numbers.below(devices.count)) }
        for device in devices.indices { try send(from: device) }
        for device in devices.indices {
            devices[device].inbox = (devices[device].inbox + devices[device].late).shuffled(using: &numbers)
            try deliver(devices[device].inbox.count, to: device)
        }
        try check()
    }

    private mutating func turn(of device: Int) throws {
        switch numbers.below(10) {
        case 0..<6: try typeWord(on: device)
        case 6: try deleteWord(on: device)
        case 7: try restart(device)
        default: break
        }
        if numbers.chance(70) { try send(from: device) }
        try deliver(numbers.below(6), to: device)
    }

    // MARK: Editing

    private mutating func typeWord(on device: Int) throws {
        guard let start = place(in: Array(devices[device].text.text)) else { return }
        let marks = Array(["<>", "()", "[]", "{}"][device % 4])
        let word = "\(marks[0])\(words.count)\(marks[1])"
        words.insert(word)
        let keys = Array(word)
        let isForward = numbers.chance(50)
        var cursor = try devices[device].text.anchor(at: start, keepingTo: isForward ? .left : .right)
        for key in isForward ? keys : keys.reversed() {
            let position = try devices[device].text.position(of: cursor)
            try devices[device].text.insert(String(key), at: position)
            cursor = try devices[device].text.anchor(
                at: isForward ? position + 1 : position, keepingTo: isForward ? .left : .right)
            if numbers.chance(10) {
                try send(from: device)
                try deliver(numbers.below(4), to: device)
            }
        }
        let offset = numbers.below(word.count)
        let position = try devices[device].text.position(of: cursor) - (isForward ? keys.count : 0)
        let anchor = try devices[device].text.anchor(
            at: position + offset, keepingTo: .right)
        devices[device].anchors.append((anchor, word, offset))
    }

    /// A position between whole words.
    private mutating func place(in text: [Character]) -> Int? {
        let places = (0...text.count).filter { place in
            let isBehind = place == 0 || ">)]}".contains(text[place - 1])
            return isBehind && (place == text.count || "<([{".contains(text[place]))
        }
        return places.isEmpty ? nil : numbers.pick(places)
    }

    private mutating func deleteWord(on device: Int) throws {
        let text = devices[device].text.text
        let found = text.matches(of: Self.word).map { text[$0.range] }
        // Two words that have arrived in part can look like one word.
        let whole = found.filter { words.contains(String($0)) }
        guard !whole.isEmpty else { return }
        let word = numbers.pick(whole)
        let start = text.unicodeScalars.distance(from: text.startIndex, to: word.startIndex)
        try devices[device].text.delete(start..<start + word.unicodeScalars.count)
        deleted.insert(String(word))
    }

    /// Compacts a text. Half the time, also replaces it by its snapshot, sometimes merged with the snapshot
    /// of a random device.
    private mutating func restart(_ device: Int) throws {
        devices[device].text.compact()
        guard numbers.chance(50) else { return }
        try send(from: device)
        var old = devices[device].text
        var text = try CollaborativeText(snapshot: old.takeSnapshot(), site: old.site)
        if text.text != old.text { faults.append("a snapshot has another text") }
        if numbers.chance(50) { try text.merge(devices[numbers.below(devices.count)].text.takeSnapshot()) }
        devices[device].text = text
        devices[device].inbox += old.waitingContributions
    }

    // MARK: Sending

    private mutating func send(from device: Int) throws {
        let sent = devices[device].text.takeContributions()
        guard !sent.isEmpty else { return }
        let arrived = try TextContribution.contributions(in: TextContribution.bytes(of: sent))
        if arrived != sent { faults.append("bytes have other contributions") }
        all += arrived
        for other in devices.indices where other != device {
            for contribution in arrived {
                if numbers.chance(15) {
                    devices[other].late.append(contribution)
                } else {
                    devices[other].inbox.append(contribution)
                }
                if numbers.chance(15) { devices[other].inbox.append(contribution) }
            }
        }
    }

    private mutating func deliver(_ count: Int, to device: Int) throws {
        for _ in 0..<min(count, devices[device].inbox.count) {
            let next = devices[device].inbox.remove(at: numbers.below(devices[device].inbox.count))
            let errors = try devices[device].text.apply(next)
            faults += errors.map { "refused: \($0)" }
        }
    }

    // MARK: Checking

    private mutating func check() throws {
        let text = devices[0].text.text
        for (index, device) in devices.enumerated() {
            if device.text.text != text { faults.append("device \(index) has another text") }
            if !device.text.waitingContributions.isEmpty { faults.append("device \(index) still waits") }
            if !all.allSatisfy(device.text.includes) { faults.append("device \(index) lacks contributions") }
        }
        let parts = text.matches(of: Self.word).map { String(text[$0.range]) }
        let expected = words.subtracting(deleted)
        // The lists, not sets, because a word may not be there twice.
        if parts.sorted() != expected.sorted() || parts.joined() != text {
            faults.append("the text has \(parts.sorted()), expected \(expected.sorted())")
        }
        for device in devices {
            for (anchor, word, offset) in device.anchors {
                let positions = try Set(devices.map { try $0.text.position(of: anchor) })
                if positions.count > 1 { faults.append("an anchor in \(word) differs") }
                guard expected.contains(word), let start = text.firstRange(of: word)?.lowerBound else {
                    continue
                }
                let place = text.unicodeScalars.distance(from: text.startIndex, to: start) + offset
                if positions != [place] { faults.append("an anchor has left \(word)") }
            }
        }
    }
}
