import Foundation
import Records

/// Finds the circles that may contain a place. Each circle is entered in a grid that is so coarse that the
/// circle lies in at most four cells.
struct PlaceIndex: Sendable {
    private struct Cell: Hashable {
        var level: Int
        var row: Int
        var column: Int
    }

    private var cells: [Cell: Set<Int64>] = [:]
    /// The number of circles of each level.
    private var levels: [Int: Int] = [:]

    var isEmpty: Bool { cells.isEmpty }

    /// Enters or removes a circle. Returns false for one that is too large, or too near a pole, for the grid.
    ///
    /// - Parameter radius: metres.
    mutating func enter(_ number: Int64, _ center: Location, radius: Double, _ isNew: Bool) -> Bool {
        // Two percent larger than the circle, for the difference between sphere and ellipsoid.
        let height = max(radius, 1) / Self.metresPerDegree * 1.02
        guard abs(center.latitude) + height < 80 else { return false }
        let width = height / cos((abs(center.latitude) + height) * .pi / 180)
        guard let level = (0...20).last(where: { Self.size($0) >= 2 * max(height, width) }) else {
            return false
        }
        for latitude in [center.latitude - height, center.latitude + height] {
            for longitude in [center.longitude - width, center.longitude + width] {
                let cell = Self.cell(latitude, longitude, level)
                cells.set(number, at: cell, isNew)
            }
        }
        levels[level, default: 0] += isNew ? 1 : -1
        if levels[level] == 0 { levels[level] = nil }
        return true
    }

    func collect(around place: Location, _ found: inout Set<Int64>) {
        for level in levels.keys {
            found.formUnion(cells[Self.cell(place.latitude, place.longitude, level)] ?? [])
        }
    }

    private static func size(_ level: Int) -> Double { 90 / Double(1 << level) }

    private static func cell(_ latitude: Double, _ longitude: Double, _ level: Int) -> Cell {
        let columns = 4 << level
        let column = Int(((longitude + 180) / size(level)).rounded(.down))
        return Cell(
            level: level, row: Int(((latitude + 90) / size(level)).rounded(.down)),
            column: ((column % columns) + columns) % columns
        )
    }

    private static let metresPerDegree = 111_000.0
}
