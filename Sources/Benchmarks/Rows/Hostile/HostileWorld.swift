import Foundation
import RecordsWire

/// `cloudlet serve --open` with its default limits and some public records.
final class HostileWorld {
    let process: ChildProcess
    static let container = "iCloud.org.cloudlet.hostile"

    /// - Throws: `RowSkipped` if the program `cloudlet` has not been built.
    init(data: URL) throws {
        process = try CloudletProgram.serve(data, .shipped)
        try fill()
    }

    func stop() { process.stop() }

    /// Signs in and returns the credentials as part of a query string.
    func signIn(_ name: String) throws -> String {
        let request = LoadRequest(SignInByName(name, container: Self.container))
        return try CloudletSubject.credentials(
            in: LoadClient(address: process.address, connections: 1).call(request), apiToken: nil)
    }

    /// Saves 2000 notes with words and numbers, and five large records.
    private func fill() throws {
        let owner = try signIn("owner")
        for start in stride(from: 0, to: 2000, by: 200) {
            let notes = (start..<start + 200).map { number in
                Self.creation(
                    "n\(number)", "Note",
                    #""text":{"value":"alpha beta \#(number)","type":"STRING"},"#
                        + #""size":{"value":\#(number),"type":"INT64"}"#)
            }
            try save(notes, as: owner)
        }
        let large = String(repeating: "x", count: 170_000)
        try save(
            (0..<5).map {
                Self.creation("big\($0)", "Big", #""text":{"value":"\#(large)","type":"STRING"}"#)
            },
            as: owner)
    }

    private func save(_ operations: [String], as person: String) throws {
        let body = #"{"operations":[\#(operations.joined(separator: ","))]}"#
        let request = Self.request("public/records/modify", as: person, json: body)
        _ = try LoadClient(address: process.address, connections: 1)
            .run(count: 1, check: CloudletSubject.checkRecords) { _ in request }
    }

    static func creation(_ name: String, _ type: String, _ fields: String) -> String {
        """
        {"operationType":"create","record":{"recordName":"\(name)","recordType":"\(type)",\
        "fields":{\(fields)}}}
        """
    }

    static func request(_ call: String, as person: String, json: String) -> LoadRequest {
        LoadRequest("POST", "/database/1/\(container)/development/\(call)?\(person)", json: json)
    }
}
