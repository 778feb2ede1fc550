import Foundation

/// Files written by threads of their own and flushed, then read back, with nothing in between.
struct RawFiles {
    let folder: URL
    let count: Int
    let size: Int
    private static let pieceLength = 256 * 1024

    /// Seconds until all are on disk.
    func write() throws -> Double {
        let piece = [UInt8](repeating: 1, count: Self.pieceLength)
        return try atOnce { file in
            guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
                throw BenchmarkError("no file at \(file.path)")
            }
            let handle = try FileHandle(forWritingTo: file)
            var rest = size
            while rest > 0 {
                try handle.write(contentsOf: piece.prefix(rest))
                rest -= min(rest, piece.count)
            }
            try handle.synchronize()
            try handle.close()
        }
    }

    /// Seconds until all are read.
    func read() throws -> Double {
        try atOnce { file in
            let handle = try FileHandle(forReadingFrom: file)
            while let data = try handle.read(upToCount: Self.pieceLength), !data.isEmpty {}
            try handle.close()
        }
    }

    private func atOnce(_ work: @escaping @Sendable (URL) throws -> Void) throws -> Double {
        let stopwatch = Stopwatch()
        let done = DispatchSemaphore(value: 0)
        let folder = folder
        for number in 0..<count {
            Thread.detachNewThread {
                try? work(folder.appendingPathComponent("file-\(number)"))
                done.signal()
            }
        }
        for _ in 0..<count { done.wait() }
        return stopwatch.seconds
    }
}
