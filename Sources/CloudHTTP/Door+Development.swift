// Owns what a development server lets people set of themselves and of its patience.

import CloudService
import Hummingbird
import Records
import RecordsWire

extension Door {
    /// `POST /dev/account?ckWebAuthToken=…`: `{"container":…, "email"?, "phone"?, "givenName"?,
    /// "familyName"?, "password"?}` sets what is known of that person, as in the settings of an account; what
    /// is not named stays.
    func describeAccount(_ request: Request) async -> Response {
        await developing("dev/account", request) { body in
            let parameters = RequestParameters(query: request.uri.query ?? "")
            let caller = try await service.caller(
                Credentials(webAuthToken: parameters.webAuthToken),
                container: try body.required("container").string(), environment: .development)
            let email = try body["email"]?.string()
            let phone = try body["phone"]?.string()
            let givenName = try body["givenName"]?.string()
            let familyName = try body["familyName"]?.string()
            let account = try await service.changeOwnAccount(
                of: caller, password: try body["password"]?.string()
            ) { account in
                if let email { account.email = email }
                if let phone { account.phone = phone }
                if let givenName { account.givenName = givenName }
                if let familyName { account.familyName = familyName }
            }
            return JSONWriter.object { $0.member("name", account.name) }
        }
    }

    /// `POST /dev/rate`: `{"requests":…, "seconds":…}` sets how many requests a person may send; `{}`: as
    /// the server was started.
    func setRate(_ request: Request) async -> Response {
        await developing("dev/rate", request) { body in
            var rate: RequestRate?
            if let requests = body["requests"] {
                let seconds = try body["seconds"]?.int() ?? 1
                rate = RequestRate(requests: try requests.int(), seconds: seconds)
            }
            try service.setPersonRate(rate)
            return JSONWriter.object { json in
                json.member("requests", service.personRate.map { Int64($0.requests) })
                json.member("seconds", service.personRate.map { Int64($0.seconds) })
            }
        }
    }

    private func developing(
        _ name: String, _ request: Request, _ work: (JSONNode) async throws -> [UInt8]
    ) async -> Response {
        let uuid = service.seams.randomUUID()
        do {
            try service.checkDevelopment(name)
            return Self.response(.ok, try await work(try await smallBody(of: request)), uuid: uuid)
        } catch {
            return failure(error, uuid: uuid, addsDetails: true)
        }
    }
}
