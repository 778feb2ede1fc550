import CloudKit
import Foundation
import Testing

@testable import TestKit

@Suite("The interface is that of CloudKit")
struct ConformanceTests {
    /// The symbols of CloudKit that the client must use.
    private static var symbols: [String] {
        get throws {
            let list = URL.package.appending(path: "Data/Conformance/symbols.txt")
            let lines = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init)
            return lines.filter { !$0.hasPrefix("#") }
        }
    }

    /// The symbols of each `let _: TYPE = VALUE` in the client, also if it has several lines.
    private static var uses: [String] {
        get throws {
            let folder = URL.package.appending(path: "Tests/CloudletTests/Conformance")
            return try folder.files("swift").filter { $0.lastPathComponent.hasPrefix("Client") }.flatMap {
                file in
                let text = try String(contentsOf: file, encoding: .utf8)
                let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                return words.components(separatedBy: "let _: ").dropFirst().flatMap(symbols(in:))
            }
        }
    }

    /// The symbols of one use: each member of a list, with the type in front of a short form.
    private static func symbols(in use: String) -> [String] {
        guard let equals = use.range(of: " = ") else { return [] }
        let type = use[..<equals.lowerBound]
        var rest = use[equals.upperBound...]
        // Code that follows the use is not part of it.
        for end in [" }", " var ", " do "] {
            if let place = rest.range(of: end) { rest = rest[..<place.lowerBound] }
        }
        let value = rest.filter { $0 != " " && $0 != "`" }
        if value.hasPrefix("[.") {
            let owner = type.dropFirst().dropLast()
            return value.dropFirst().dropLast().split(separator: ",").map { "\(owner)\($0)" }
        }
        if value.hasPrefix(".") { return ["\(type)\(value)"] }
        if value.hasPrefix("\\."), let owner = type.firstMatch(of: /^(Readable|Writable)<\s*([^,]+),/) {
            return ["\(owner.2)\(value.dropFirst())"]
        }
        return [String(value.drop { $0 == "\\" })]
    }

    @Test("The client uses every symbol of the list, and none that it lacks")
    func completeness() throws {
        let symbols = try Self.symbols
        let uses = try Self.uses
        #expect(symbols.count > 900)
        let missing = Self.difference(symbols, uses)
        let unlisted = Self.difference(uses, symbols)
        #expect(missing.isEmpty, "not used by the client: \(missing.joined(separator: ", "))")
        #expect(unlisted.isEmpty, "not in the list: \(unlisted.joined(separator: ", "))")
    }

    @Test("The symbols that Fidelity.md names as left out are not in the list, and named only once")
    func leftOut() throws {
        let page = URL.package.appending(path: "Sources/Cloudlet/Documentation.docc/Fidelity.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "### Left out of the interface").last)
        let rows = section.components(separatedBy: "\n#")[0].split(separator: "\n").filter {
            $0.hasPrefix("| `")
        }
        let names = rows.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { String($0.1) }
        }
        #expect(names.count > 10)
        #expect(Set(names).count == names.count)
        let symbols = try Self.symbols
        for name in names {
            // A type in the list means all its members.
            let present = symbols.first { $0 == name || $0.hasPrefix(name + ".") }
            #expect(present == nil, "\(name) is said to be left out")
        }
    }

    /// The symbols that occur more often in `all` than in `some`. Overloads have the same name, so the number
    /// counts.
    private static func difference(_ all: [String], _ some: [String]) -> [String] {
        var counts: [String: Int] = [:]
        for symbol in some { counts[symbol, default: 0] += 1 }
        return all.filter { symbol in
            counts[symbol, default: 0] -= 1
            return counts[symbol, default: 0] < 0
        }
    }

    @Test("The error codes have the numbers of CloudKit")
    func errorCodes() {
        let codes = (1...37).map { CKError.Code(rawValue: $0) }
        #expect(codes.allSatisfy { $0 != nil })
        #expect(CKError.Code(rawValue: 0) == nil)
        #expect(CKError.Code(rawValue: 38) == nil)
        #expect(CKError.serverRecordChanged.rawValue == 14)
        #expect(CKError.changeTokenExpired.rawValue == 21)
        #expect(CKError.participantAlreadyInvited.rawValue == 37)
    }

    @Test(
        "Other raw values are those of the framework",
        arguments: [
            (CKDatabase.Scope.shared.rawValue, 3), (CKSubscription.SubscriptionType.database.rawValue, 3),
            (CKNotification.NotificationType.database.rawValue, 4),
            (CKQueryNotification.Reason.recordDeleted.rawValue, 3),
            (CKModifyRecordsOperation.RecordSavePolicy.allKeys.rawValue, 2),
            (CKAccountStatus.temporarilyUnavailable.rawValue, 4),
            (CKContainer.ApplicationPermissionStatus.granted.rawValue, 3),
            (CKOperationGroup.TransferSize.hundredsOfGigabytes.rawValue, 7),
            (CKShare.ParticipantAcceptanceStatus.removed.rawValue, 3),
            (CKShare.ParticipantPermission.readWrite.rawValue, 3),
            (CKShare.ParticipantRole.publicUser.rawValue, 4),
            (CKShare.ParticipantType.publicUser.rawValue, 4),
            (CKRecordZone.EncryptionScope.perZone.rawValue, 1),
            (Int(CKRecord.ReferenceAction.deleteSelf.rawValue), 1),
            (Int(CKRecordZone.Capabilities.zoneWideSharing.rawValue), 8),
            (Int(CKQuerySubscription.Options.firesOnce.rawValue), 8),
            (Int(CKSharingParticipantAccessOption.any.rawValue), 3),
            (Int(CKSharingParticipantPermissionOption.readWrite.rawValue), 2),
        ] as [(Int, Int)])
    func rawValues(_ value: Int, _ expected: Int) {
        #expect(value == expected)
    }

    @Test("Every type of field value conforms to CKRecordValueProtocol")
    func values() {
        #expect(Client.useValues().count == 25)
    }
}
