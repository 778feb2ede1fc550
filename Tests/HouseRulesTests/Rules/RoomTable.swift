/// A room (a target, or a folder of one with its own rules) and the modules that its files may import.
struct Room: Sendable {
    /// The folder below `Sources`. A file belongs to the room with the longest matching folder.
    let folder: String
    let mayImport: Set<String>

    init(_ folder: String, _ groups: [String]...) {
        self.folder = folder
        mayImport = Set(groups.joined())
    }
}

/// The room table: every room with all modules that it may import, including those of the system and of other
/// packages. All dependencies lead to `Records`.
let roomTable: [Room] = [
    Room("Records", ["Dispatch"], foundation),
    Room("RecordsWire", ["Records"], foundation, locks),
    Room("DataRows"),
    Room("RecordStore", ["DataRows", "Records"], foundation, locks),
    Room("Directory", ["Records"], foundation, locks),
    Room("SQLiteSupport", ["DataRows", "Records", "GRDB", "GRDBSQLite"], foundation),
    Room("DirectorySQLite", ["Directory", "SQLiteSupport", "DataRows", "Records", "GRDB"], foundation),
    Room(
        "RecordStoreSQLite",
        ["RecordStore", "SQLiteSupport", "DataRows", "Records", "GRDB", "GRDBSQLite"], foundation, locks
    ),
    Room("PostgreSQLSupport", ["DataRows", "Records", "CPostgres"], foundation, locks),
    Room(
        "RecordStorePostgres", ["RecordStore", "PostgreSQLSupport", "DataRows", "Records"], foundation,
        locks),
    Room(
        "DirectoryPostgres", ["Directory", "PostgreSQLSupport", "DataRows", "Records"], foundation, locks),
    Room("CPostgres"),
    Room("AssetStore", ["Records", "Crypto", "NIOCore", "_NIOFileSystem"], foundation, locks, system),
    Room(
        "AssetStoreS3",
        ["AssetStore", "Records", "AsyncHTTPClient", "Crypto", "NIOCore", "NIOHTTP1", "FoundationXML"],
        foundation, locks
    ),
    Room(
        "CloudService",
        [
            "RecordStore", "Directory", "AssetStore", "Records", "Crypto", "CryptoExtras", "NIOCore",
            "Dispatch", "CDispatch",
        ],
        foundation, locks
    ),
    Room("CZlib"),
    Room(
        "CloudHTTP",
        [
            "CZlib", "CloudService", "RecordsWire", "Records", "Mustache", "NIOHTTPTypes",
        ],
        hummingbird, foundation, locks
    ),
    Room(
        "CloudConsole", ["CloudHTTP", "CloudService", "RecordsWire", "Records", "Crypto"], hummingbird,
        foundation),
    Room(
        "ApplePush",
        [
            "CloudService", "RecordsWire", "Records", "AsyncHTTPClient", "Crypto", "JWTKit", "NIOCore",
            "NIOHTTP1", "NIOSSL",
        ],
        foundation, locks
    ),
    Room(
        "ServerData",
        [
            "CloudService", "RecordStoreSQLite", "RecordStore", "DirectorySQLite", "Directory",
            "SQLiteSupport", "AssetStore", "DataRows", "RecordsWire", "Records", "Crypto", "NIOPosix",
            "GRDB",
        ],
        foundation, locks, system
    ),
    Room("CMemory"),
    Room(
        "CloudletServer",
        [
            "CMemory", "ApplePush", "AssetStoreS3", "CloudConsole", "CloudHTTP", "ServerData", "CloudService",
            "DirectorySQLite", "Directory", "SQLiteSupport", "AssetStore", "RecordStore",
            "RecordStorePostgres", "DirectoryPostgres", "PostgreSQLSupport", "RecordsWire", "Records",
        ],
        [
            "ServiceLifecycle", "NIOPosix", "_NIOFileSystem", "NIOHTTPTypesHTTP1", "Crypto", "HummingbirdTLS",
            "NIOSSL",
        ],
        hummingbird, foundation, locks, system
    ),

    Room("CoreLocation", foundation),
    Room("CArchiveNames"),
    Room(
        "Cloudlet",
        [
            "CoreLocation", "RecordsWire", "Records", "AsyncHTTPClient", "Crypto", "CryptoExtras", "NIOCore",
            "NIOHTTP1", "NIOHTTPCompression", "NIOFoundationCompat", "NIOPosix", "NIOSSL",
        ],
        foundation, locks
    ),
    Room("CloudKit", ["Cloudlet"]),
    Room(
        "LocalReplica", ["RecordsWire", "Records", "GRDB", "GRDBSQLite", "Crypto", "Dispatch"], foundation,
        locks
    ),
    Room("CloudSync", ["Cloudlet", "LocalReplica", "Records"], foundation, locks),
    Room("ObjectModel", ["Records", "FoundationXML"], foundation),
    Room(
        "MirroredStore",
        [
            "CloudSync", "Cloudlet", "LocalReplica", "ObjectModel", "RecordsWire", "Records", "Crypto",
            "GRDB",
        ],
        foundation, locks),
    Room("CollaborativeText", foundation),
    Room("CloudletTesting", ["CloudletServer", "Cloudlet", "RecordsWire", "Records"], foundation, locks),

    Room("CWidth"),
    Room("CReadline"),
    Room(
        "CommandShell", ["CReadline", "CWidth", "ArgumentParser", "Subprocess"], foundation, locks, system),
    Room(
        "CloudletShell",
        [
            "CommandShell", "Cloudlet", "CloudletServer", "RecordsWire", "Records", "ArgumentParser",
            "Subprocess",
        ],
        foundation, locks, system
    ),
    Room("EmbedTemplate", ["PackagePlugin"], foundation),
    Room("ClownCentral", ["Cloudlet", "CommandShell", "Subprocess"], foundation, locks),
    Room("ClownCentral/Model", foundation),
    Room("ClownCentral/Seeds", ["CommandShell"], foundation),
    Room("ClownCentral/Template", ["CommandShell"], foundation),
    Room(
        "ClownCentral/Repository", ["Cloudlet", "CloudSync", "CollaborativeText", "LocalReplica", "Records"],
        foundation, locks),
    Room("ClownCentral/Posts", ["Cloudlet", "MirroredStore", "Records"], foundation),
    Room(
        "ClownCentral/Sync", ["Cloudlet", "CloudSync", "LocalReplica", "MirroredStore"], foundation, locks),
    Room(
        "ClownCentral/Shell",
        [
            "Cloudlet", "CloudSync", "LocalReplica", "MirroredStore", "CloudletServer", "CloudletShell",
            "CommandShell",
        ],
        foundation, locks
    ),
    Room(
        "clown-central", ["ClownCentral", "CloudletShell", "CommandShell", "ArgumentParser"], foundation,
        system),
    Room(
        "cloudlet-command",
        [
            "CloudletShell", "CommandShell", "CloudletServer", "Cloudlet", "ObjectModel", "RecordsWire",
            "Records", "ArgumentParser", "Crypto", "Subprocess", "ServiceLifecycle", "UnixSignals", "Logging",
        ],
        foundation, system
    ),
    Room("CEpoll"),
    Room(
        "Benchmarks",
        [
            "CEpoll", "CloudletTesting", "CollaborativeText", "MirroredStore", "CloudSync", "LocalReplica",
            "CloudletServer", "Cloudlet", "RecordStoreSQLite", "RecordStorePostgres", "PostgreSQLSupport",
            "CPostgres", "RecordStore", "RecordsWire", "Records",
        ],
        ["ArgumentParser", "Crypto", "GRDB", "NIOPosix"],
        hummingbird, foundation, locks, system
    ),
]

private let foundation = ["Foundation", "FoundationEssentials"]
private let locks = ["Synchronization"]
private let system = ["Glibc", "Musl", "Darwin", "Dispatch", "System", "SystemPackage"]
private let hummingbird = ["Hummingbird", "HummingbirdCore", "HTTPTypes", "NIOCore", "NIOHTTP1", "Logging"]
