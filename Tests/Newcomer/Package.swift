// swift-tools-version: 6.0
// A package with CloudKit code: it has one dependency and imports only the modules of Apple's platforms.

import PackageDescription

let package = Package(
    name: "Newcomer",
    dependencies: [.package(name: "cloudlet", path: "../..")],
    targets: [
        .executableTarget(
            name: "Newcomer",
            dependencies: [.product(name: "CloudKit", package: "cloudlet")],
            swiftSettings: [.unsafeFlags(["-warnings-as-errors"])]
        )
    ],
    swiftLanguageModes: [Context.environment["NEWCOMER_MODE"] == "5" ? .v5 : .v6]
)
