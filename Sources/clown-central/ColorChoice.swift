// Owns the values of --color.
import ArgumentParser

/// Whether to colour.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
    case auto
    case always
    case never
}
