import Glibc
import Notes
import Photos
import System
import Workbench

/// A temporary folder with the photos and programs that the imaging tests make.
struct Workshop: ~Copyable {
    let folder: FilePath

    init() throws {
        let built = FilePath("/proc/self/exe")
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = built.withCString { readlink($0, &buffer, buffer.count) }
        folder = FilePath(bytes: buffer.prefix(max(0, count))).folder / "workshop-\(UInt64.random(in: 0 ... .max))"
        try Files.makeFolder(folder)
    }

    deinit { _ = try? Self.run("/bin/rm", "-rf", folder.description) }

    /// The program under test, as built beside the tests.
    var imaging: FilePath { folder.folder / "evergear-imaging" }

    /// Runs a tool and gives back what it prints.
    @discardableResult
    static func run(_ program: FilePath, _ arguments: String...) throws -> [UInt8] {
        var child = try ChildProcess(program, arguments, environment: ["PATH=/usr/bin:/bin"])
        var printed: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(child.output.number, &buffer, buffer.count)
            if count <= 0 { break }
            printed += buffer[..<count]
        }
        guard child.wait() == .status(0) else { throw SystemError(code: EIO, call: program.description) }
        return printed
    }

    /// libvips' own command line.
    @discardableResult
    func vips(_ operation: String, _ from: FilePath, _ to: String, _ rest: String...) throws -> FilePath {
        let target = folder / to
        let program: FilePath = "/usr/bin/vips"
        var child = try ChildProcess(
            program, [operation, from.description, target.description] + rest, environment: ["PATH=/usr/bin:/bin"])
        guard child.wait() == .status(0) else { throw SystemError(code: EIO, call: "vips \(operation) \(to)") }
        return FilePath(bytes: target.bytes.prefix { $0 != UInt8(ascii: "[") })
    }

    func write(_ bytes: [UInt8], to name: String, mode: UInt32 = 0o644) throws -> FilePath {
        let path = folder / name
        try FileDescriptor.create(path, mode: mode).write(bytes)
        return path
    }

    /// A shell script that can be run at once. It is written by a process of its own: open for writing in this one, it
    /// might be so in a child that another test forks at the moment, too, and then does not run ("text file busy").
    func script(_ name: String, _ lines: String) throws -> FilePath {
        let path = folder / name
        let written = try Workbench.run(
            "/bin/sh", ["-c", "cat > \"$0\" && chmod 755 \"$0\"", path.description], input: "#!/bin/sh\n\(lines)\n")
        guard written.status == .status(0) else { throw SystemError(code: EIO, call: "write", path: path) }
        return path
    }

    /// Four fields of one colour each: left and right on top, left and right below. Its left side is the wider one.
    func fields(_ colours: [[UInt8]], width: Int = 64, height: Int = 48, depth: UInt8 = 8) throws -> FilePath {
        let png = Self.png(width: width, height: height, channels: colours[0].count, depth: depth) { x, y in
            colours[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)]
        }
        return try write(png, to: "fields-\(width)x\(height)-\(colours[0].count)-\(depth).png")
    }

    /// A PNG whose pixels are not compressed (W3C PNG, RFC 1950, RFC 1951 3.2.4).
    static func png(
        width: Int, height: Int, channels: Int, depth: UInt8 = 8, _ pixel: (Int, Int) -> [UInt8]
    ) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width {
                for value in pixel(x, y) { rows += depth == 16 ? [value, value] : [value] }
            }
        }
        var packed: [UInt8] = [0x78, 0x01]
        var at = 0
        while at < rows.count {
            let part = rows[at..<min(at + 65_535, rows.count)]
            at = part.endIndex
            let length = UInt16(part.count)
            packed += [at == rows.count ? 1 : 0, UInt8(length & 0xff), UInt8(length >> 8)]
            packed += [UInt8(~length & 0xff), UInt8(~length >> 8)] + part
        }
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in rows {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        packed += big(b << 16 | a)
        let kind: UInt8 = [1: 0, 2: 4, 3: 2, 4: 6][channels] ?? 2
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            + chunk("IHDR", big(UInt32(width)) + big(UInt32(height)) + [depth, kind, 0, 0, 0]) + chunk("IDAT", packed)
            + chunk("IEND", [])
    }

    static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + body
        var sum: UInt32 = 0xffff_ffff
        for byte in named {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
        }
        return big(UInt32(body.count)) + named + big(~sum)
    }

    private static func big(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }

    /// What another decoder sees in a picture of ours.
    func look(at image: RenderedImage) throws -> Picture {
        let name = "look-\(UInt64.random(in: 0 ... .max))"
        let jpeg = try write(image.jpeg, to: name + ".jpg")
        return try Picture(ppm: Files.read(vips("colourspace", jpeg, name + ".ppm", "srgb"), limit: 64 << 20))
    }
}

/// Pixels of three channels.
struct Picture {
    let width: Int
    let height: Int
    private let pixels: ArraySlice<UInt8>

    init(ppm: [UInt8]) throws {
        let head = ppm.prefix(200).split(maxSplits: 20, omittingEmptySubsequences: true) { $0 == 0x0a || $0 == 0x20 }
        let texts = head.map { String(decoding: $0, as: UTF8.self) }
        // `P6`, perhaps a comment line, width, height, 255
        guard texts.first == "P6" else { throw SystemError(code: EINVAL, call: "ppm") }
        let numbers = texts.dropFirst().compactMap { Int($0) }
        width = numbers[0]
        height = numbers[1]
        pixels = ppm.suffix(3 * width * height)
    }

    subscript(x: Int, y: Int) -> [Int] {
        let at = pixels.startIndex + 3 * (y * width + x)
        return pixels[at..<at + 3].map(Int.init)
    }

    /// The middle of each quarter: left and right on top, left and right below.
    var quarters: [[Int]] {
        [(1, 1), (3, 1), (1, 3), (3, 3)].map { self[$0.0 * width / 4, $0.1 * height / 4] }
    }

    static func distance(_ a: [Int], _ b: [UInt8]) -> Int {
        zip(a, b).map { abs($0 - Int($1)) }.max() ?? 999
    }
}
