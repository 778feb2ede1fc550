// Owns the operator's calls about people.

import CloudService
import Records
import RecordsWire

extension OperatorCall {
    static let peopleCalls = [
        get("people") { visit in
            JSONWriter.list("people", try await visit.service.people()) { json, person in
                json.beginObject()
                person.writeMembers(to: &json)
                json.endObject()
            }
        },
        post("people") { visit in
            let body = visit.body
            let account = Account(
                id: "", name: try body.required("name").string(), email: try body["email"]?.string(),
                phone: try body["phone"]?.string(), givenName: try body["givenName"]?.string(),
                familyName: try body["familyName"]?.string()
            )
            let person = try await visit.service.addPerson(
                account, password: try body["password"]?.string())
            return JSONWriter.object { person.writeMembers(to: &$0) }
        },
        get("people/:name") { visit in
            let person = try await visit.service.person(named: try visit.name("name"))
            let names = try await visit.service.userRecordNames(of: person)
            let (used, limit) = try await visit.service.privateBytes(of: person)
            return JSONWriter.object { json in
                person.writeMembers(to: &json)
                json.member("privateBytes", used)
                json.member("privateBytesLimit", limit)
                json.key("containers")
                json.beginObject()
                for (container, name) in names.sorted(by: { $0.key < $1.key }) {
                    json.key(container)
                    json.string(name)
                }
                json.endObject()
            }
        },
        post("people/:name/status") { visit in
            let status = try visit.status()
            let person = try await visit.service.changePerson(named: try visit.name("name")) {
                $0.status = status
            }
            return JSONWriter.object { person.writeMembers(to: &$0) }
        },
        post("people/:name/password") { visit in
            let name = try visit.name("name")
            try await visit.service.setPassword(try visit.body["password"]?.string(), ofPerson: name)
            return JSONWriter.object { $0.member("name", name) }
        },
        post("people/:name/sign-out") { visit in
            let name = try visit.name("name")
            try await visit.service.signOut(person: name)
            return JSONWriter.object { $0.member("name", name) }
        },
        post("people/:name/delete") { visit in
            let name = try visit.name("name")
            try await visit.service.deletePerson(named: name)
            return JSONWriter.object { json in
                json.member("name", name)
                json.member("deleted", true)
            }
        },
    ]
}

extension OperatorVisit {
    fileprivate func status() throws -> AccountStatus {
        let text = try body.required("status").string()
        if let status = AccountStatus(rawValue: text) { return status }
        throw RecordError(
            .badRequest, "there is no such account status", culprit: text,
            nextStep: "use \(AccountStatus.allCases.map(\.rawValue).joined(separator: ", "))"
        )
    }
}

extension Account {
    /// What an operator may know of a person: nothing that is secret.
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("email", email)
        json.member("phone", phone)
        json.member("givenName", givenName)
        json.member("familyName", familyName)
        json.member("status", status.rawValue)
        json.member("hasPassword", hasPassword)
        json.member("createdAt", created.milliseconds)
    }
}
