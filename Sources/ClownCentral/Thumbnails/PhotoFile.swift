import CommandShell
import Foundation

/// A complete JPEG or PNG file.
struct PhotoFile: Equatable, Sendable {
    let url: URL
    let header: ImageHeader
    let byteCount: Int

    /// Checks a file. Throws a `ShellError` that names the file and the reason why it cannot be a photo.
    init(_ url: URL, shownAs name: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw Self.refused(
                name, "there is no such file", remedy: "name a JPEG or PNG file; Tab completes file names")
        }
        if isFolder.boolValue { throw Self.refused(name, "is a folder", remedy: "name the files in it") }
        let kind = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
        if let kind = kind?[.type] as? FileAttributeType, kind != .typeRegular {
            throw Self.refused(name, "is a pipe, a socket or a device, not a regular file")
        }
        let data: Data
        do {
            data = try Data(contentsOf: url, options: .mappedIfSafe)
        } catch {
            throw Self.refused(name, "cannot be read", remedy: "check its permissions")
        }
        if data.isEmpty { throw Self.refused(name, "is empty") }
        guard let header = ImageHeader(data) else { throw Self.refused(name, Self.reason(data)) }
        if !header.isComplete(data) { throw Self.refused(name, Self.truncated) }
        self.url = url
        self.header = header
        byteCount = data.count
    }

    /// The error for one file.
    static func refused(_ name: String, _ reason: String, remedy: String? = nil) -> ShellError {
        ShellError(code: "badPhoto", message: "\(name): \(reason)", remedy: remedy)
    }

    private static let truncated = "is a truncated picture"

    private static func reason(_ data: Data) -> String {
        let head = data.prefix(512)
        let isText = head.allSatisfy { $0 == 9 || $0 == 10 || $0 == 13 || (0x20...0x7E).contains($0) }
        if isText { return "is a text, not a JPEG or PNG picture" }
        let bytes = ImageBytes(data)
        let isCut = bytes.starts(with: [0xFF, 0xD8, 0xFF]) || bytes.starts(with: [0x89, 0x50, 0x4E, 0x47])
        return isCut ? truncated : "is not a JPEG or PNG picture"
    }
}
