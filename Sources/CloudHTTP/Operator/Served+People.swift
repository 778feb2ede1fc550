import CloudService
import Records
import RecordsWire

extension ListPeople: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        ListAnswer(try await incoming.service.people.all().map(PersonReport.init))
    }
}

extension AddPerson: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let account = Account(
            id: "", name: name, email: email, phone: phone, givenName: givenName, familyName: familyName)
        return PersonReport(try await incoming.service.people.add(account, password: password))
    }
}

extension ReadPerson: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let person = try await incoming.service.people.person(withAnyName: name)
        let names = try await incoming.service.people.userRecordNames(of: person)
        let (used, limit) = try await incoming.service.quotas.privateBytes(of: person)
        return PersonDetails(
            person: PersonReport(person), privateBytes: used, privateBytesLimit: limit,
            containers: names.sorted { $0.key < $1.key }.map {
                PersonDetails.ContainerUser(container: $0.key, userRecordName: $0.value)
            })
    }
}

extension SetPersonStatus: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        PersonReport(try await incoming.service.people.change(named: name) { $0.status = status })
    }
}

extension SetPersonQuota: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        PersonReport(try await incoming.service.people.change(named: name) { $0.quotaBytes = quotaBytes })
    }
}

extension SetPersonPassword: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try await incoming.service.people.setPassword(password, ofPerson: name)
        return NameAnswer(name: name)
    }
}

extension SignOutPerson: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try await incoming.service.people.signOut(person: name)
        return NameAnswer(name: name)
    }
}

extension DeletePerson: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try await incoming.service.people.delete(named: name)
        return DeletionAnswer(name: name)
    }
}
