// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "TaskBook",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "cloudlet", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .executableTarget(
            name: "TaskBook",
            dependencies: [
                .product(name: "Cloudlet", package: "cloudlet"),
                .product(name: "CloudSync", package: "cloudlet"),
                .product(name: "CommandShell", package: "cloudlet"),
                .product(name: "Records", package: "cloudlet"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .testTarget(
            name: "TaskBookTests",
            dependencies: ["TaskBook", .product(name: "CloudletTesting", package: "cloudlet")]
        ),
    ]
)
