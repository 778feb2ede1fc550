public import CommandShell
public import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The files and folders to which a program with an embedded server writes.
public struct StoredData: Sendable {
    /// A file or folder.
    public struct Item: Sendable {
        /// The location.
        public let url: URL
        /// What it contains, for people.
        public let contents: String
    }

    /// All files and folders, whether they exist or not.
    public let items: [Item]
    private let data: URL

    /// Creates the list for a program.
    ///
    /// - Parameters:
    ///   - data: The data folder of the embedded server; nil for the default folder.
    ///   - environment: The environment variables, which can name the user's folders.
    public init(of names: ProgramNames, data: URL?, environment: [String: String]) {
        let home = UserFolder.home(environment)
        let folder = data ?? names.dataFolder(environment)
        let state = UserFolder.state(of: names.name, environment, home: home)
        self.data = folder
        items = [
            Item(url: folder, contents: "the data of the embedded server"),
            Item(
                url: names.devicesFolder(beside: folder),
                contents: "the devices' copies of people's data, from the embedded and from other servers"),
            Item(url: state, contents: "the history of prompts, and the confirmed servers"),
            Item(
                url: FavouriteFile(of: names, environment: environment, home: home).file,
                contents: "the favourites"),
        ]
    }

    /// The files and folders that exist.
    public var present: [Item] { items.filter { FileManager.default.fileExists(atPath: $0.url.path) } }

    /// Deletes all files and folders.
    ///
    /// - Throws: `ShellError` if the data folder is no folder of a server or is in use, and then deletes
    ///   nothing; or if an item cannot be deleted.
    public func remove() throws {
        let lock = try lockData()
        defer { if let lock { close(lock) } }
        for item in present {
            do {
                try FileManager.default.removeItem(at: item.url)
            } catch {
                throw ShellError(
                    code: "notRemoved", message: "\(item.url.path) cannot be deleted",
                    remedy: "check the permissions of it and of the folder around it")
            }
        }
    }

    /// Takes the lock of the data folder, so that no server uses it, and returns its descriptor; nil if the
    /// folder does not exist.
    private func lockData() throws -> Int32? {
        guard FileManager.default.fileExists(atPath: data.path) else { return nil }
        let file = data.appendingPathComponent("cloudlet.lock")
        let descriptor = open(file.path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ShellError(
                code: "folderUnusable", message: "\(data.path) is not the data folder of a server",
                remedy: "check the contents of the folder, and delete it yourself")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw ShellError(
                code: "folderInUse", message: "a server or another shell uses \(data.path)",
                remedy: "end that process first")
        }
        return descriptor
    }
}

extension ProgramNames {
    /// The folder for the data of devices, beside the data folder of the server.
    func devicesFolder(beside data: URL) -> URL {
        URL(fileURLWithPath: data.path + "-devices", isDirectory: true)
    }
}
