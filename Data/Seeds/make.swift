// The program that writes a seed set to standard output: one `SeedParty` per line, as JSON.

import Foundation

@main
struct Make {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) }
        guard arguments.count <= 2, !arguments.contains(nil) else {
            FileHandle.standardError.write(Data("usage: Data/Seeds/make [COUNT [SEED]]\n".utf8))
            exit(2)
        }
        let numbers = arguments.compactMap { $0 }
        let parties = SeedGenerator(
            seed: numbers.count > 1 ? numbers[1] : 2014,
            count: numbers.first.map { Int(clamping: $0) } ?? 520,
            referenceDate: Date(timeIntervalSince1970: 0)
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var block = Data()
        for party in parties {
            block.append(try encoder.encode(party))
            block.append(UInt8(ascii: "\n"))
            if block.count > 1 << 16 {
                try FileHandle.standardOutput.write(contentsOf: block)
                block.removeAll(keepingCapacity: true)
            }
        }
        try FileHandle.standardOutput.write(contentsOf: block)
    }
}
