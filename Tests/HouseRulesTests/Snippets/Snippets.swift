// Owns how snippets of code become files for the rules that are tested on them.

/// A file of a few lines at a path of the house.
func snippet(_ text: String, at path: String = "Sources/CloudService/Snippet.swift") -> SourceFile {
    SourceFile(path: path, text: text)
}
