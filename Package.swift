// swift-tools-version: 6.2
import PackageDescription

// Imports are internal unless a module says otherwise, so that no C type reaches another module by accident.
let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], golden: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: golden, swiftSettings: settings)
}

let package = Package(
    name: "evergear",
    products: [
        // What tests preload into the program. The programs themselves are products by their targets.
        .library(name: "FailingDisk", type: .dynamic, targets: ["FailingDisk"])
    ],
    targets: [
        // C libraries of the system
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CXSLT", pkgConfig: "libxslt", providers: [.apt(["libxslt1-dev"])]),
        .systemLibrary(name: "CExif", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
        .systemLibrary(name: "CZLib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CUTF8Proc", providers: [.apt(["libutf8proc-dev"])]),
        .systemLibrary(name: "CVips", providers: [.apt(["libvips-dev"])]),
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),

        // C of our own, only what Swift cannot call or write
        .target(name: "CSystem"),
        .target(name: "CSandbox", dependencies: ["CSeccomp"]),
        .target(name: "CHear", dependencies: ["CXSLT"]),
        .target(name: "CCurl"),

        // Values, the system, text
        library("Notes"),
        library("System", ["CSystem"]),
        library("Hashing", ["Notes", "System", "CCrypto"]),
        library("Text", ["CUTF8Proc"]),

        // photos -> draft -> note -> outbox -> destination
        library("Photos", ["Notes", "System", "Text", "Hashing", "CExif", "CXML2", "CZLib"]),
        library("SQLite", ["CSQLite"]),
        library("Storage", ["Notes", "System", "Hashing", "Text", "SQLite", "Photos"]),
        library(
            "Layouts",
            ["Notes", "System", "CSystem", "Text", "Hashing", "Photos", "Storage", "CXML2", "CXSLT", "CHear"]),
        library("HTTP", ["System", "Text", "CCurl"]),
        library("Thrift", ["HTTP", "System"]),
        library("EDAM", ["Notes", "System", "HTTP", "Thrift"]),
        library("ENEX", ["Notes", "System", "Text", "Hashing", "CXML2"]),
        library("Outbox", ["Notes", "System", "Storage"]),
        library(
            "EvergearCLI",
            [
                "Notes", "System", "Text", "Hashing", "Photos", "Storage", "Layouts", "ENEX", "HTTP", "Thrift", "EDAM",
                "Outbox",
            ]),

        // Programs
        .executableTarget(name: "evergear", dependencies: ["EvergearCLI", "Layouts"], swiftSettings: settings),
        .executableTarget(
            name: "evergear-imaging", dependencies: ["Notes", "Photos", "CSystem", "CSandbox", "CVips", "CTurboJPEG"],
            // Pixels are too many for an unoptimised loop, in a debug build too.
            swiftSettings: settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]),

        // What the tests share: a folder of their own, a program run to its end.
        .target(name: "Workbench", dependencies: ["System"], path: "Tests/Workbench", swiftSettings: settings),
        .target(name: "FailingDisk", path: "Tests/FailingDisk", linkerSettings: [.linkedLibrary("dl")]),
        tests("NotesTests", ["Workbench", "Notes"]),
        tests("SystemTests", ["Workbench", "System"]),
        tests("TextTests", ["Workbench", "Text", "Hashing", "Notes"]),
        tests("PhotosTests", ["Workbench", "Photos", "Notes", "System"]),
        tests("StorageTests", ["Workbench", "Storage", "SQLite", "Notes", "System"]),
        tests("LayoutsTests", ["Workbench", "Layouts", "Notes", "System", "Storage"], golden: ["Golden"]),
        tests("ENEXTests", ["Workbench", "ENEX", "Notes", "System", "Hashing"]),
        tests("HTTPTests", ["Workbench", "HTTP", "System"], golden: ["service.py"]),
        tests("ThriftTests", ["Workbench", "Thrift", "HTTP", "System"]),
        tests("EDAMTests", ["Workbench", "EDAM", "Thrift", "HTTP", "Hashing", "Notes", "System"]),
        tests("OutboxTests", ["Workbench", "Outbox", "Storage", "Notes", "System"]),
        tests(
            "EvergearCLITests",
            ["Workbench", "EvergearCLI", "EDAM", "ENEX", "Layouts", "Outbox", "Storage", "Notes", "System"]),
        tests("EvergearTests", ["Workbench", "System"]),
    ],
    swiftLanguageModes: [.v6]
)

// Feeds the readers with what libFuzzer thinks of. It needs the sanitizers, so it is there for `make fuzz` alone.
if Context.environment["EVERGEAR_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "evergear-fuzz",
            dependencies: ["Workbench", "Photos", "ENEX", "HTTP", "Thrift", "EDAM", "Layouts", "Notes", "System"],
            path: "Tests/Fuzz/evergear-fuzz",
            // The function main is libFuzzer's.
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]))
}
