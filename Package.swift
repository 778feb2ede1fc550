// swift-tools-version: 6.2
// The map of the house: one target a room, every arrow pointing towards Records.

import PackageDescription

let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "cloudlet",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Records", targets: ["Records"]),
        .library(name: "Cloudlet", targets: ["Cloudlet"]),
        .library(name: "CloudKit", targets: ["CloudKit"]),
        .library(name: "CoreLocation", targets: ["CoreLocation"]),
        .library(name: "CloudSync", targets: ["CloudSync", "LocalReplica"]),
        .library(name: "CloudletServer", targets: ["CloudletServer"]),
        .library(name: "CloudletTesting", targets: ["CloudletTesting"]),
        .library(name: "CommandShell", targets: ["CommandShell"]),
        .executable(name: "clown-central", targets: ["clown-central"]),
        .executable(name: "cloudlet", targets: ["cloudlet-command"]),
        .executable(name: "benchmarks", targets: ["Benchmarks"]),
    ],
    traits: [
        .trait(
            name: "HTTPClient", description: "Clients reach servers over HTTP and HTTPS, not only in process."
        ),
        .trait(name: "TLS", description: "Servers speak HTTPS with a certificate of their own."),
        .trait(name: "ApplePush", description: "Servers send pushes through Apple's push service."),
        .default(enabledTraits: ["HTTPClient", "TLS", "ApplePush"]),
    ],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        // The vocabulary, its spelling, and two promises: what every store of records does, and what every
        // directory of people, tokens and schemas does. SQLite keeps both.
        .target(name: "Records", swiftSettings: house),
        .target(name: "RecordsWire", dependencies: ["Records"], swiftSettings: house),
        .target(name: "RecordStore", dependencies: ["Records"], swiftSettings: house),
        .target(name: "Directory", dependencies: ["Records"], swiftSettings: house),
        .target(
            name: "SQLiteSupport",
            dependencies: ["Records", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: house
        ),
        .target(
            name: "DirectorySQLite",
            dependencies: [
                "Directory", "SQLiteSupport", "Records", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: house
        ),
        .target(
            name: "RecordStoreSQLite",
            dependencies: [
                "RecordStore", "SQLiteSupport", "Records",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: house
        ),
        .target(
            name: "AssetStore",
            dependencies: [
                "Records", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "_NIOFileSystem", package: "swift-nio"),
            ],
            swiftSettings: house
        ),

        // The server: decisions, door, data folder, wiring.
        .target(
            name: "CloudService",
            dependencies: [
                "RecordStore", "Directory", "AssetStore", "Records",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: house
        ),
        .target(
            name: "CloudHTTP",
            dependencies: [
                "CloudService", "RecordsWire", "Records",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ],
            swiftSettings: house
        ),
        .target(
            name: "ApplePush",
            dependencies: [
                "CloudService", "RecordsWire", "Records",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: house
        ),
        .target(
            name: "ServerData",
            dependencies: [
                "CloudService", "RecordStoreSQLite", "RecordStore", "DirectorySQLite", "SQLiteSupport",
                "AssetStore", "RecordsWire", "Records", .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: house
        ),
        .systemLibrary(name: "CMemory"),
        .target(
            name: "CloudletServer",
            dependencies: [
                "CMemory", .target(name: "ApplePush", condition: .when(traits: ["ApplePush"])), "CloudHTTP",
                "ServerData", "CloudService", "DirectorySQLite", "Directory", "SQLiteSupport", "AssetStore",
                "RecordsWire", "Records",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird", condition: .when(traits: ["TLS"])),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(
                    name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["TLS", "ApplePush"])),
                .product(name: "_NIOFileSystem", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: house
        ),

        // The client: what an app imports. Where this package is built, all others can import CoreLocation,
        // which therefore depends on nothing.
        .target(name: "CoreLocation", swiftSettings: house),
        .target(name: "CArchiveNames"),
        .target(
            name: "Cloudlet",
            dependencies: [
                "CArchiveNames", "CoreLocation", "RecordsWire", "Records",
                .product(
                    name: "AsyncHTTPClient", package: "async-http-client",
                    condition: .when(traits: ["HTTPClient"])),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(
                    name: "NIOHTTPCompression", package: "swift-nio-extras",
                    condition: .when(traits: ["HTTPClient"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["HTTPClient"])),
            ],
            swiftSettings: house
        ),
        .target(name: "CloudKit", dependencies: ["Cloudlet"], swiftSettings: house),
        .target(
            name: "LocalReplica",
            dependencies: [
                "RecordsWire", "Records",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: house
        ),
        .target(
            name: "CloudSync",
            dependencies: ["Cloudlet", "LocalReplica", "Records"],
            swiftSettings: house
        ),
        .target(
            name: "CloudletTesting",
            dependencies: ["CloudletServer", "Cloudlet", "RecordsWire", "Records"],
            swiftSettings: house
        ),

        // A shell for any program, the commands for any container, the sample app, which sees what a
        // stranger's app sees, and the two command lines.
        .systemLibrary(name: "CWidth"),
        .systemLibrary(name: "CReadline", providers: [.apt(["libreadline-dev"])]),
        .target(
            name: "CommandShell",
            dependencies: [
                "CReadline", "CWidth",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: house
        ),
        .target(
            name: "CloudletShell",
            dependencies: [
                "CommandShell", "CloudletServer", "Cloudlet", "RecordsWire", "Records",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: house
        ),
        .plugin(name: "EmbedTemplate", capability: .buildTool(), path: "Sources/EmbedTemplate"),
        .target(
            name: "ClownCentral",
            dependencies: [
                "CloudletShell", "CommandShell", "CloudSync", "LocalReplica", "Cloudlet", "CloudletServer",
                "Records",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            packageAccess: false,
            swiftSettings: house,
            plugins: ["EmbedTemplate"]
        ),
        .executableTarget(
            name: "clown-central",
            dependencies: [
                "ClownCentral", "CloudletShell", "CommandShell",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            packageAccess: false,
            swiftSettings: house
        ),
        .executableTarget(
            name: "cloudlet-command",
            dependencies: [
                "CloudletShell", "CommandShell", "CloudletServer", "Cloudlet", "RecordsWire", "Records",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: house
        ),
        .systemLibrary(name: "CEpoll"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CEpoll", "CloudletTesting", "CloudSync", "LocalReplica", "CloudletServer", "Cloudlet",
                "RecordStoreSQLite", "RecordStore", "RecordsWire", "Records",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: house
        ),

        // The tests; StoreContract is the promise of RecordStore written as a library of tests.
        .testTarget(name: "RecordsTests", dependencies: ["Records"], swiftSettings: house),
        .testTarget(
            name: "RecordsWireTests",
            dependencies: ["RecordsWire", "Records"],
            swiftSettings: house
        ),
        .testTarget(
            name: "DirectoryTests",
            dependencies: ["DirectorySQLite", "Directory", "SQLiteSupport", "Records"],
            swiftSettings: house
        ),
        .testTarget(
            name: "RecordStoreTests",
            dependencies: [
                "RecordStoreSQLite", "RecordStore", "DirectorySQLite", "SQLiteSupport", "RecordsWire",
                "Records",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "CloudletServer", "ServerData", "CloudHTTP", "CloudService", "AssetStore",
                "RecordStoreSQLite", "RecordStore", "DirectorySQLite", "Directory", "RecordsWire", "Records",
                "CloudKit", "CloudletTesting",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "CloudletTests",
            dependencies: [
                "Cloudlet", "CloudKit", "CoreLocation", "CloudletTesting", "CloudletServer", "LocalReplica",
                "RecordsWire", "Records", .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "LocalReplicaTests",
            dependencies: ["LocalReplica", "Records", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: house
        ),
        .testTarget(
            name: "CloudSyncTests",
            dependencies: [
                "CloudSync", "LocalReplica", "Cloudlet", "CloudletTesting", "CloudletServer", "Records",
            ],
            swiftSettings: house
        ),
        .target(
            name: "ShellKit",
            dependencies: [
                "ClownCentral", "CloudletShell", "CommandShell", "CloudletServer", "Cloudlet",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            path: "Tests/ShellKit",
            swiftSettings: house
        ),
        .testTarget(
            name: "CloudletShellTests",
            dependencies: [
                "ShellKit", "ClownCentral", "CloudletShell", "CommandShell", "CloudletServer", "Cloudlet",
                "Records", "clown-central", "cloudlet-command",
            ],
            swiftSettings: house
        ),
        .testTarget(
            name: "ClownCentralTests",
            dependencies: [
                "ShellKit", "ClownCentral", "CloudletShell", "CommandShell", "CloudletServer", "Cloudlet",
                "RecordsWire", "clown-central", "cloudlet-command",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: house
        ),
        // The app that `clown-central new` copies; a package of its own, too.
        .executableTarget(
            name: "TaskBook",
            dependencies: [
                "Cloudlet", "CloudSync", "LocalReplica", "CommandShell", "Records",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Demo/Template/Sources/TaskBook",
            packageAccess: false
        ),
        .testTarget(
            name: "TaskBookTests",
            dependencies: ["TaskBook", "CloudletTesting"],
            path: "Demo/Template/Tests/TaskBookTests",
            packageAccess: false
        ),
        // A program of its own with a shell, as somebody else would write it.
        .target(
            name: "TaskShell", dependencies: ["CommandShell"], path: "Tests/TaskShell", packageAccess: false
        ),
        .testTarget(
            name: "CommandShellTests", dependencies: ["TaskShell", "CommandShell"], swiftSettings: house),
        .testTarget(name: "HouseRulesTests", swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
