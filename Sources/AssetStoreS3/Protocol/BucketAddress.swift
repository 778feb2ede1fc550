import Foundation
package import Records

/// The address of a bucket: `s3://BUCKET/PREFIX?endpoint=https://s3.example.org&region=eu-central-1`.
package struct BucketAddress: Hashable, Sendable {
    package var bucket: String
    /// The beginning of all keys: empty, or with a slash at its end.
    package var prefix: String
    /// The URL of the object store, without a path.
    package var endpoint: String
    package var region: String
    /// Whether the bucket is in the path of a URL instead of its host name.
    package var isInPath: Bool
    /// Whether the clients of the server read files from the object store.
    package var isReadByClients: Bool

    /// The bucket and the object store, for people.
    package var text: String { "\(bucket) at \(endpoint)" }

    /// Parses an address. Without an endpoint, the bucket is one of Amazon S3.
    ///
    /// - Parameter region: The region if the address names none.
    /// - Throws: `badRequest`, with a reason and next step for the operator.
    package init(_ text: String, region defaultRegion: String? = nil) throws(RecordError) {
        guard text.utf8.count <= 2048, let parts = URLComponents(string: text), parts.scheme == "s3",
            let host = parts.host, parts.port == nil, parts.fragment == nil
        else { throw Self.refusal("it is not an address such as s3://BUCKET?endpoint=https://HOST") }
        if parts.user != nil || parts.password != nil {
            throw Self.refusal(
                "it contains a key",
                next: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment instead")
        }
        bucket = host
        guard Self.isBucketName(host) else {
            throw Self.refusal(
                "\"\(host)\" is not the name of a bucket, which has 3 to 63 lower-case letters, digits, dots "
                    + "and hyphens")
        }
        prefix = try Self.prefix(parts.path)
        var options: [String: String] = [:]
        for item in parts.queryItems ?? [] {
            guard ["endpoint", "region", "style", "downloads"].contains(item.name) else {
                throw Self.refusal("\"\(item.name)\" is not one of endpoint, region, style and downloads")
            }
            if options.updateValue(item.value ?? "", forKey: item.name) != nil {
                throw Self.refusal("\(item.name) occurs twice")
            }
        }
        let known = options["region"] ?? defaultRegion
        if let known { try Self.check(region: known) }
        if let endpoint = options["endpoint"] {
            self.endpoint = try Self.checked(endpoint)
            region = known ?? "us-east-1"
        } else {
            guard let known else {
                throw Self.refusal(
                    "it names neither an endpoint nor a region",
                    next: "add ?region=REGION for Amazon S3, or ?endpoint=https://HOST for another store")
            }
            region = known
            endpoint = "https://s3.\(known).amazonaws.com"
        }
        // A certificate for *.HOST does not cover the host of a bucket with a dot in its name.
        let defaultStyle = options["endpoint"] != nil || host.contains(".") ? "path" : "host"
        switch options["style"] ?? defaultStyle {
        case "path": isInPath = true
        case "host": isInPath = false
        default: throw Self.refusal("style is either path or host")
        }
        switch options["downloads"] ?? "server" {
        case "server": isReadByClients = false
        case "direct": isReadByClients = true
        default: throw Self.refusal("downloads is either server or direct")
        }
    }

    private static func refusal(
        _ reason: String,
        next: String = "write it like s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION"
    ) -> RecordError {
        RecordError(
            .badRequest, "the address of the bucket is not valid: \(reason)", culprit: "assets",
            nextStep: next)
    }

    private static func isBucketName(_ text: String) -> Bool {
        (3...63).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    private static func prefix(_ path: String) throws(RecordError) -> String {
        let names = path.split(separator: "/")
        let isPlain = names.allSatisfy { name in
            name != "." && name != ".."
                && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") }
        }
        // Object stores accept keys of 1,024 bytes; a database needs up to 600.
        guard isPlain, path.utf8.count <= 300 else {
            throw refusal("the prefix has more than 300 bytes, spaces, or unusual characters")
        }
        return names.map { $0 + "/" }.joined()
    }

    private static func check(region: String) throws(RecordError) {
        let isPlain = region.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        if !isPlain || !(1...64).contains(region.utf8.count) {
            throw refusal("\"\(region)\" is not a region, such as eu-central-1")
        }
    }

    private static func checked(_ endpoint: String) throws(RecordError) -> String {
        guard let url = URLComponents(string: endpoint), let scheme = url.scheme, let host = url.host,
            ["http", "https"].contains(scheme), !host.isEmpty, url.path.isEmpty || url.path == "/",
            url.query == nil, url.fragment == nil, url.user == nil, url.password == nil,
            (0...65_535).contains(url.port ?? 0)
        else {
            throw refusal(
                "the endpoint is not an address such as https://s3.example.org, with a port up to 65535")
        }
        return "\(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? "")
    }
}

extension BucketAddress {
    /// The host of requests, with the port if it is not the usual one.
    var host: String {
        let host = String(endpoint.drop { $0 != "/" }.dropFirst(2))
        return isInPath ? host : "\(bucket).\(host)"
    }

    /// The scheme of requests.
    var scheme: String { String(endpoint.prefix { $0 != ":" }) }

    /// The encoded path of an object; of the bucket without a key.
    func path(of key: String?) -> String {
        let key = key.map { URLText.encode(prefix + $0, keepsSlashes: true) }
        if isInPath { return "/\(bucket)" + (key.map { "/" + $0 } ?? "") }
        return "/" + (key ?? "")
    }
}

/// Texts in URLs, encoded as signatures require.
enum URLText {
    /// Encodes all characters except letters, digits, `-`, `.`, `_` and `~`.
    static func encode(_ text: String, keepsSlashes: Bool = false) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: "/") where keepsSlashes:
                result.append("/")
            default:
                result += byte < 16 ? "%0" : "%"
                result += String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    /// Encodes the parameters of a query, sorted as signatures require.
    static func query(_ parameters: [(String, String)]) -> String {
        parameters.map { (encode($0.0), encode($0.1)) }.sorted { $0 < $1 }.map { "\($0.0)=\($0.1)" }
            .joined(separator: "&")
    }
}
