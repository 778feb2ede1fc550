import Records
import RecordsWire

extension CheckLiveness: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer { ServerState("live") }
}

extension CheckReadiness: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        if let obstacle = incoming.handler.obstacle() { throw obstacle }
        return ServerState("ready")
    }
}
