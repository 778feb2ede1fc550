// Owns what one shell runs with: its server, its clock, its device and where file names start.
import CommandText
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
    /// What `config list` shows.
    var settings: [Settings.Row] = []
    /// What `~` stands for, where that is not the home of whoever started this.
    var home: URL?
    /// Whether the clock stands still unless a command waits.
    var isClockFixed = false
    /// Lets so many seconds pass, where that is not the machine's business.
    var pause: (@Sendable (TimeInterval) async throws -> Void)?
    /// Whether commands may ask the person at the terminal.
    var asks = false
    /// The token that lets the app in where the server wants one.
    var apiToken: String?
}
