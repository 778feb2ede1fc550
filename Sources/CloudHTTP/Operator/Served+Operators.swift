import CloudService
import Records
import RecordsWire

extension ListOperators: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        ListAnswer(try await incoming.service.operators.all().map(OperatorReport.init))
    }
}

extension SetOperator: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let operators = incoming.service.operators
        var entry = AuditEntry(
            at: incoming.service.runtime.now(), by: OperatorService.keyHolderName, container: container,
            action: "operator.set", subject: name,
            before: try await operators.all().first { $0.name == name }?.rolesText)
        return try await operators.change(entry) { change in
            let account = try await operators.set(role, of: name, in: container, password: password)
            entry.after = account.auditText(isPasswordSet: password != nil)
            try await change.log(entry)
            return OperatorReport(account)
        }
    }
}

extension RemoveOperator: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let operators = incoming.service.operators
        let entry = AuditEntry(
            at: incoming.service.runtime.now(), by: OperatorService.keyHolderName, action: "operator.remove",
            subject: name, before: try await operators.all().first { $0.name == name }?.rolesText)
        return try await operators.change(entry) { change in
            try await operators.remove(name)
            try await change.log(entry)
            return DeletionAnswer(name: name)
        }
    }
}

extension MakeConsoleLink: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        guard incoming.handler.hasConsole else {
            throw RecordError(
                .badRequest, "the server has no console", culprit: "console",
                nextStep: "start it with: cloudlet serve --console")
        }
        guard incoming.context.isFromNetwork else {
            throw RecordError(
                .badRequest, "the server does not listen on a port, so a browser cannot open a link",
                culprit: "console",
                nextStep: "start one: cloudlet serve --console")
        }
        let base = incoming.handler.baseURL(of: incoming.request)
        return ConsoleLink(
            url: "\(base)/console/sign-in?link=\(incoming.service.operators.newLink())",
            seconds: incoming.service.limits.operatorLinkSeconds)
    }
}

extension ReadRequests: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let service = incoming.service
        var page = service.history.page(filter)
        var names = SignInNames(service.people)
        for (place, request) in page.requests.enumerated() {
            page.requests[place].personName = try await names.name(of: request.person, in: request.container)
        }
        return RequestPage(page.requests, answered: page.answered, kept: Int64(page.kept))
    }
}

extension ReadAudit: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let service = incoming.service
        var entries = try await service.operators.audit(of: container, before: before)
        var names = SignInNames(service.people)
        for (place, entry) in entries.enumerated() {
            entries[place].person = try await names.name(of: entry.userRecordName, in: entry.container)
        }
        return ListAnswer(entries)
    }
}
