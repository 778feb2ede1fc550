// swift-tools-version: 6.2
// Runs the contract suite against PostgreSQL. The package's own manifest would compile all of its modules again,
// because the flags of a package trait are those of every module; this one has only what the suite needs.

import PackageDescription

let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

extension Target {
    static func room(_ name: String, _ dependencies: [Dependency] = []) -> Target {
        .target(name: name, dependencies: dependencies, path: "Sources/\(name)", swiftSettings: house)
    }
}

let package = Package(
    name: "cloudlet",
    platforms: [.macOS(.v15)],
    targets: [
        .room("Records"),
        .room("RecordsWire", ["Records"]),
        .room("RecordStore", ["Records"]),
        .systemLibrary(name: "CPostgres", path: "Sources/CPostgres"),
        .room("RecordStorePostgres", ["RecordStore", "Records", "CPostgres"]),
        .target(
            name: "TestKit", dependencies: ["Records"], path: "TestKit",
            sources: ["Files.swift", "Promise.swift", "Waiting.swift", "ZoneID+Literal.swift", "Random"],
            swiftSettings: house
        ),
        // The suites name their module, so it has the same name here.
        .testTarget(
            name: "RecordStoreTests",
            dependencies: ["RecordStorePostgres", "RecordStore", "RecordsWire", "Records", "TestKit"],
            path: "RecordStorePostgresTests", swiftSettings: house
        ),
    ],
    swiftLanguageModes: [.v6]
)
