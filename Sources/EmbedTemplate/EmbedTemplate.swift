import Foundation
import PackagePlugin

/// Writes the template's files into a Swift file of the target that uses this plugin, so that the installed
/// program contains them.
@main
struct EmbedTemplate: BuildToolPlugin {
    /// A shell script that writes each file as a raw string, with its path.
    private static let script = """
        cd "$1" && output="$2" && shift 2 && {
            echo 'enum TemplateFiles {'
            echo '    static let all: [(path: String, text: String)] = ['
            for file; do
                printf '("%s", ##\"\"\"\\n' "$file" && cat "$file" && printf '\\n\"\"\"##),\\n'
            done
            echo '    ]'
            echo '}'
        } > "$output"
        """

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "Demo/Template")
        let output = context.pluginWorkDirectoryURL.appending(path: "TemplateFiles.swift")
        let files = try Self.files(in: folder)
        return [
            .buildCommand(
                displayName: "Embed the template of apps", executable: URL(filePath: "/bin/sh"),
                arguments: ["-c", Self.script, "sh", folder.path, output.path] + files,
                inputFiles: files.map { folder.appending(path: $0) }, outputFiles: [output])
        ]
    }

    /// The paths of the template's files in a folder, without files that builds and runs have created.
    private static func files(in folder: URL) throws -> [String] {
        try [".gitignore", "Package.swift", "README.md"]
            + ["Mirrored", "Sources", "Tests"].flatMap { name in
                try FileManager.default.subpathsOfDirectory(atPath: folder.appending(path: name).path)
                    .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }.sorted().map { "\(name)/\($0)" }
            }
    }
}
