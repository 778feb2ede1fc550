package import Records

/// Creates a push token (`tokens/create`) or registers an existing one (`tokens/register`).
package struct PushTokenRequest: WireRequest {
    package var service: PushToken.Service
    /// The token to register; nil to create one.
    package var token: String?
    package var client: String?

    package init(service: PushToken.Service = .development, token: String? = nil, client: String? = nil) {
        self.service = service
        self.token = token
        self.client = client
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        service = .development
        if let node = body["apnsEnvironment"] {
            guard let known = PushToken.Service(rawValue: try node.string()) else {
                throw node.unexpected(nextStep: "use development or production")
            }
            service = known
        }
        token = try body["apnsToken"]?.string()
        client = try body["clientId"]?.string()
    }

    package func write(to json: inout JSONWriter) {
        json.member("apnsEnvironment", service.rawValue)
        json.member("apnsToken", token)
        json.member("clientId", client)
    }
}

/// A push token and its courier: the URL from which its pushes are fetched.
package struct PushTokenAnswer: Hashable, Sendable {
    package var service: PushToken.Service
    package var token: String
    package var courier: String

    package init(service: PushToken.Service, token: String, courier: String) {
        self.service = service
        self.token = token
        self.courier = courier
    }

    /// Decodes a body. Throws `internalError` if it cannot be read.
    package init(bytes: [UInt8]) throws(RecordError) {
        do throws(RecordError) {
            let node = try JSONDocument(bytes).root.object()
            let name = try node["apnsEnvironment"]?.string()
            service = name.flatMap(PushToken.Service.init(rawValue:)) ?? .development
            token = try node.required("apnsToken").string()
            courier = try node.required("webcourierURL").string()
        } catch {
            throw error.asUnreadableAnswer
        }
    }

    package func encoded() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("apnsEnvironment", service.rawValue)
        json.member("apnsToken", token)
        json.member("webcourierURL", courier)
        json.endObject()
        return json.bytes
    }
}
