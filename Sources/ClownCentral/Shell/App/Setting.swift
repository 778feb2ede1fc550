// Owns what one shell runs with: its server, its clock, its device and where file names start.
import Foundation

/// The surroundings of one shell.
struct Setting: Sendable {
    let host: Host
    let now: @Sendable () -> Date
    let device: String
    let seed: UInt64
    let baseFolder: URL
    /// Where devices keep what they have of people's data.
    let devices: URL
    /// The moment at which the clock stands still, as it was typed.
    var moment: String?
    /// Whether commands may ask the person at the terminal.
    var asks = false
    /// The token that lets the app in where the server wants one.
    var apiToken: String?
}
