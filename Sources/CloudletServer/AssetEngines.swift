import AssetStore
import Directory
import Foundation
import Logging
import Records
import ServerData

#if Networking
import AssetStoreS3
#endif

/// The bucket of an object store in which a server keeps the files of assets.
public struct AssetBucket: Sendable {
    /// The address, such as `s3://BUCKET/PREFIX?endpoint=https://s3.example.org&region=eu-central-1`.
    public var address: String
    /// The region if the address names none.
    public var region: String?
    /// The identifier of the account's key.
    public var keyID: String
    /// The account's secret key.
    public var secret: String
    /// The token of temporary keys.
    public var sessionToken: String?

    /// Creates the description of a bucket.
    public init(
        address: String, region: String? = nil, keyID: String, secret: String, sessionToken: String? = nil
    ) {
        self.address = address
        self.region = region
        self.keyID = keyID
        self.secret = secret
        self.sessionToken = sessionToken
    }
}

/// Opens the object store that keeps the files of a server.
enum AssetEngines {
    /// Returns nil if the data folder keeps the files.
    ///
    /// - Throws: `ServerError` if the address is not valid.
    static func engine(of configuration: ServerConfiguration) throws(ServerError) -> (any AssetEngine)? {
        guard let bucket = configuration.assets else { return nil }
        #if Networking
        do throws(RecordError) {
            let address = try BucketAddress(bucket.address, region: bucket.region)
            let credentials = BucketCredentials(
                keyID: bucket.keyID, secret: bucket.secret, sessionToken: bucket.sessionToken)
            let (random, logger) = (RandomSource(seed: nil), configuration.logger)
            // The object store compares the time of requests with its own, so it must be the system's.
            return BucketEngine(
                address, credentials, makeNumber: { random.bytes(12).hexadecimal }, now: { Date() },
                pause: configuration.pause, uptime: configuration.uptime,
                warn: { logger.warning("\($0)") })
        } catch {
            throw ServerError(.engineUnusable, error.reason, nextStep: error.nextStep ?? "")
        }
        #else
        _ = bucket
        throw ServerError(
            .engineUnusable, "--assets needs the network, without which this program was built",
            nextStep: "leave it out, or build the program with the package trait Networking")
        #endif
    }

    /// Checks that a node looks for the files of assets where the other nodes have them: after one has used
    /// an object store, or files were moved to one, all must.
    ///
    /// - Throws: `ServerError` for a node without an object store if the files are in one.
    static func check(
        hasBucket: Bool, of installation: String, _ directory: any CredentialDirectory
    ) async throws {
        if hasBucket {
            try await directory.markObjectStore(of: installation)
        } else if try await directory.hasObjectStoreMark(of: installation) {
            throw ServerError(
                .engineUnusable, "the files of this server's assets are in an object store",
                nextStep: "set CLOUDLET_ASSETS, or name their bucket: "
                    + "cloudlet serve --assets s3://BUCKET?endpoint=https://HOST")
        }
    }

    /// Binds the data folder to the object store. Returns the identifier of this server in it.
    ///
    /// - Throws: `ServerError` if the object store cannot be used, or has the files of another folder.
    static func bind(
        _ folder: DataFolder, to engine: (any AssetEngine)?, as identifier: String
    ) async throws -> String {
        do {
            return try await folder.bindAssets(to: engine, as: identifier)
        } catch {
            if let refusal = refusal(error, "the files of assets cannot be stored") { throw refusal }
            throw error
        }
    }

    /// The error for the operator if an object store cannot be used; nil for another error.
    static func refusal(_ error: any Error, _ effect: String) -> ServerError? {
        #if Networking
        guard let problem = error as? BucketProblem else { return nil }
        return ServerError(
            .engineUnusable, "\(effect): \(problem.reason)", nextStep: problem.nextStep)
        #else
        return nil
        #endif
    }
}
