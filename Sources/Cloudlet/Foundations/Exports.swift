// Owns the promise that a file which imports this module sees Foundation too, as it does on Apple platforms.

@_exported public import Foundation
