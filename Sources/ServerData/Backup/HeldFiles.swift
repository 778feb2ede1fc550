import AssetStore
import Foundation
import Records

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Hard links to the files of a running server's database. A file that the server deletes during a backup can
/// be copied from its link.
///
/// The links are in the folder for deleted databases, which a server empties when it starts. So the links of
/// a killed backup go too.
struct HeldFiles {
    private let folder: URL

    /// Creates the folder of the links; nil if that fails, for example in a folder that may only be read.
    ///
    /// nil also in a data folder of another user: that user's server could not use the folder `removed` if
    /// this user created it.
    init?(in data: URL) {
        var info = stat()
        guard stat(data.path, &info) == 0, info.st_uid == geteuid() else { return nil }
        folder = data.appendingPathComponent(DataFolder.binName)
            .appendingPathComponent("backup-" + RandomSource(seed: nil).bytes(8).hexadecimal)
        do { try DurableFiles.makeFolder(folder, isFlushed: false) } catch { return nil }
    }

    /// Links the files that exist now. Those that have a link keep it.
    func hold(_ files: [String: URL]) {
        // A file without a link is copied from its own place, if it is still there.
        for (checksum, file) in files { _ = link(file.path, place(of: checksum).path) }
    }

    /// The link to a file, whether it exists or not.
    func place(of fileChecksum: String) -> URL {
        folder.appendingPathComponent(fileChecksum.replacing("/", with: "_"))
    }

    /// Whether a file has a link.
    func holds(_ fileChecksum: String) -> Bool {
        FileManager.default.fileExists(atPath: place(of: fileChecksum).path)
    }

    /// Removes the links.
    func release() {
        try? FileManager.default.removeItem(at: folder)
    }
}
