import _NIOFileSystem

/// Where each file lies. Takes only checked parts, so that no path can lead out of the folder.
struct AssetLayout: Sendable {
    let folder: FilePath
    let incoming: FilePath
    let content: FilePath

    init(folder: FilePath) {
        self.folder = folder
        incoming = folder.appending("incoming")
        content = folder.appending("content")
    }

    /// Upload names come back in receipts, so they are looked at before they become a path.
    static func isUploadID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default:
                    false
                }
            }
    }

    /// A file that is still being received.
    func partial(_ uploadID: String) -> FilePath {
        incoming.appending(uploadID)
    }

    /// A file that was received whole; its name tells its content.
    func received(_ uploadID: String, _ content: AssetChecksum) -> FilePath {
        incoming.appending("\(uploadID).\(content.hexadecimal)")
    }

    /// What `received` put into a file name.
    func content(ofIncoming name: String) -> AssetChecksum? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        return AssetChecksum(hexadecimal: name[name.index(after: dot)...])
    }

    /// Two levels, so that no folder holds a million names.
    func path(of checksum: AssetChecksum) -> FilePath {
        let name = checksum.hexadecimal
        return content.appending(String(name.prefix(2))).appending(String(name.dropFirst(2)))
    }
}
