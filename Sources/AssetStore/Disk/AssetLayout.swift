import _NIOFileSystem

/// The paths of a store's files. All parts are checked, so that each path is within the folder.
package struct AssetLayout: Sendable {
    let folder: FilePath
    let incoming: FilePath
    let content: FilePath

    init(folder: FilePath) {
        self.folder = folder
        incoming = folder.appending("incoming")
        content = folder.appending("content")
    }

    /// Whether a text can be an upload ID. Clients send upload IDs back in receipts, so they are checked
    /// before they become part of a path.
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

    /// The path of a file that is being received.
    func partial(_ uploadID: String) -> FilePath {
        incoming.appending(uploadID)
    }

    /// The path of a completely received file. Its name contains the checksum.
    func received(_ uploadID: String, _ content: AssetChecksum) -> FilePath {
        incoming.appending("\(uploadID).\(content.hexadecimal)")
    }

    /// The checksum in a file name made by `received`; nil for other names.
    package static func content(ofIncoming name: String) -> AssetChecksum? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        return AssetChecksum(hexadecimal: name[name.index(after: dot)...])
    }

    /// Whether a file name in `incoming/` belongs to an upload: an upload ID, perhaps followed by a dot and
    /// more.
    static func isIncoming(_ name: String) -> Bool {
        isUploadID(String(name.prefix { $0 != "." }))
    }

    /// The path of content. Two levels of folders keep the number of names in one folder low.
    func path(of checksum: AssetChecksum) -> FilePath {
        let name = checksum.hexadecimal
        return content.appending(String(name.prefix(2))).appending(String(name.dropFirst(2)))
    }
}
