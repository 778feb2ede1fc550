package import AssetStore
package import Records

/// A signed ticket in the address of the sign-in page: the app and container for which a person signs in.
package struct SignInTicket: SignedToken {
    package static let kind: UInt8 = 16
    package static let refusal = RecordError(
        .badRequest, "this sign-in page has expired", culprit: "ctx",
        nextStep: "go back to the app and begin to sign in again"
    )

    package var container: String
    package var environment: CloudEnvironment
    /// The `id` of the app's API token; empty without one.
    package var apiToken: String
    /// The origin of the page that asked; empty if it is unknown.
    package var origin: String
    /// The short GUID of the share whose page asked; empty if another page or an app asked.
    package var share: String
    package var expires: Timestamp

    package init(
        container: String, environment: CloudEnvironment, apiToken: String, origin: String,
        share: String = "", expires: Timestamp
    ) {
        self.container = container
        self.environment = environment
        self.apiToken = apiToken
        self.origin = origin
        self.share = share
        self.expires = expires
    }

    package func write(to writer: inout TokenWriter) {
        writer.write(container)
        writer.write(environment.rawValue)
        writer.write(apiToken)
        writer.write(origin)
        writer.write(share)
    }

    package init(from reader: inout TokenReader, expires: Timestamp) throws {
        container = try reader.readString()
        environment = try CloudEnvironment(rawValue: reader.readString()) ?? .development
        apiToken = try reader.readString()
        origin = try reader.readString()
        share = try reader.readString()
        self.expires = expires
    }
}

/// A signed ticket that ties a form to the browser and page to which the server sent it.
package struct FormTicket: SignedToken {
    package static let kind: UInt8 = 17
    package static let refusal = RecordError(
        .badRequest, "the form does not belong to this browser", culprit: "form",
        nextStep: "allow cookies for this page, and load it again"
    )

    /// The random value that the browser keeps as a cookie.
    package var browser: String
    /// Identifies the page: the text of its `SignInTicket`, or its path.
    package var context: String
    package var expires: Timestamp

    package init(browser: String, context: String, expires: Timestamp) {
        self.browser = browser
        self.context = context
        self.expires = expires
    }

    package func write(to writer: inout TokenWriter) {
        writer.write(browser)
        writer.write(context)
    }

    package init(from reader: inout TokenReader, expires: Timestamp) throws {
        browser = try reader.readString()
        context = try reader.readString()
        self.expires = expires
    }
}
