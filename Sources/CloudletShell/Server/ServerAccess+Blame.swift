import Cloudlet
import Records
import RecordsWire

extension ServerAccess {
    /// A record with its creation and modification stamps, in a zone of the private database or in the public
    /// one; nil if the server cannot be reached or does not return the record.
    func stampedRecord(
        _ name: String, zone: String?, in place: CloudSession.ContainerEnvironment, _ account: CloudAccount?,
        device: String
    ) async throws -> Record? {
        let path = RequestPath(
            container: place.container, environment: place.callEnvironment,
            database: zone == nil ? .public : .private, endpoint: .recordsLookup)
        let person = RequestParameters(apiToken: apiToken, webAuthToken: account?.webAuthToken)
        let body = RecordsLookupRequest(
            [RecordsLookupRequest.Item(recordName: name)], zone: zone.map { ZoneID(name: $0) })
        let request = CloudRequest(
            .post, path.text + "?" + person.text, headers: ["Content-Type": "application/json"],
            body: .bytes(body.encoded()))
        do {
            let deviceTransport = network.transport(of: device, over: transport, pause: pause)
            let response = try await deviceTransport.send(request)
            guard response.status == 200,
                case .record(let record)? = try? RecordsAnswer(
                    bytes: response.bytes
                ).records.first
            else { return nil }
            return record
        } catch is CloudTransportError {
            return nil
        }
    }
}
