import Glibc
import System

/// Hands one reader what libFuzzer thinks of, until it fails.
///
///     evergear-fuzz targets                          lists the targets
///     evergear-fuzz seeds FOLDER                     writes what to start from, in a folder for each target
///     evergear-fuzz TARGET [LIBFUZZER OPTION…] FOLDER…
private enum Fuzz {
    /// libFuzzer's callbacks have no context.
    nonisolated(unsafe) static var target = FuzzTarget.jpeg

    static func begin(_ command: String?, _ argument: String?) {
        switch command {
        case "targets":
            for target in FuzzTarget.allCases { print(target.rawValue) }
            exit(0)
        case "seeds":
            do { try writeSeeds(FilePath(argument ?? ".")) } catch { fail("\(error)") }
            exit(0)
        case let name:
            guard let target = name.flatMap(FuzzTarget.init) else { fail("there is no target \(name ?? "")") }
            self.target = target
        }
    }

    private static func writeSeeds(_ folder: FilePath) throws {
        for target in FuzzTarget.allCases {
            let own = folder / target.rawValue
            try Files.makeFolder(own)
            for (number, seed) in target.seeds.enumerated() {
                try Files.replace(own / "made-\(number)", with: seed)
            }
        }
    }

    private static func fail(_ reason: String) -> Never {
        print("evergear-fuzz: \(reason)")
        exit(2)
    }
}

/// libFuzzer calls this once (llvm.org/docs/LibFuzzer.html). The first word is ours, the rest libFuzzer's own.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    func word(_ index: Int) -> String? {
        index < count.pointee ? words.pointee[index].map { String(cString: $0) } : nil
    }
    Fuzz.begin(word(1), word(2))
    let name = words.pointee[0]
    words.pointee += 1
    words.pointee[0] = name
    count.pointee -= 1
    return 0
}

/// - Returns: -1 for what is none of the target's business and not worth being kept.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Fuzz.target.run([UInt8](UnsafeBufferPointer(start: bytes, count: count))) ? 0 : -1
}
