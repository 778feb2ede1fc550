import CloudService
import Records
import RecordsWire

extension ProtocolRequest {
    func tokensCreate() async throws -> [UInt8] {
        let request: PushTokenRequest = try await decoded()
        return answer(
            try await service.devices.createPushToken(request.service, client: request.client, by: caller))
    }

    func tokensRegister() async throws -> [UInt8] {
        let request: PushTokenRequest = try await decoded()
        guard let token = request.token else {
            throw RecordError(
                .badRequest, "apnsToken is required", culprit: "apnsToken",
                nextStep: "send the token of the device, or create one with tokens/create"
            )
        }
        return answer(
            try await service.devices.registerPushToken(
                token, request.service, client: request.client, by: caller))
    }

    private func answer(_ token: PushToken) -> [UInt8] {
        let address = baseURL + PushEndpoint.poll.target(token: token.text)
        return PushTokenAnswer(service: token.service, token: token.text, courier: address).encoded()
    }

    func notificationsChanges() async throws -> [UInt8] {
        let request: NotificationsRequest = try await decoded()
        let page = try await service.pushes.notifications(
            since: request.token, limit: request.limit, by: caller)
        let answer = NotificationsAnswer(page.messages, token: page.token, moreComing: page.moreComing)
        return try await encoding(ofBytes: page.bytes) { answer.encoded() }
    }

    func notificationsRead() async throws -> [UInt8] {
        let request: NotificationsReadRequest = try await decoded()
        let known = try await service.pushes.markNotificationsRead(request.ids, by: caller)
        return NotificationsReadRequest(known).encoded()
    }

    func badge() async throws -> [UInt8] {
        let request: BadgeRequest = try await decoded()
        try await service.pushes.setBadge(request.value, by: caller)
        return request.encoded()
    }
}
