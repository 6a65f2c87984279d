import Dispatch
import Glibc
import Notes
import Synchronization
import System
import Testing

@testable import Photos

@Suite("A decoder that fails costs one photo")
struct ImagingClientTests {
    private static let request = ImageRequest.thumbnail(mime: "image/png", turn: 1, shortSide: 24)

    private static func photo(_ workshop: borrowing Workshop) throws -> FilePath {
        try workshop.fields([[200, 0, 0], [0, 200, 0], [0, 0, 200], [0, 0, 0]], width: 400, height: 300)
    }

    /// A program that does something bad the first time, and is the real one from then on.
    private static func planted(_ workshop: borrowing Workshop, _ deed: String) throws -> FilePath {
        try workshop.script(
            "planted",
            """
            if mkdir '\(workshop.folder)/done' 2>/dev/null; then
            \(deed)
            exit 0
            fi
            exec '\(workshop.imaging)'
            """)
    }

    private static let answer = #"printf 'EGan\0\0\0\0\020\0\0\0\020\0\0\0'"#

    @Test(
        "the next photo gets a new decoder",
        arguments: [
            ("kill -SEGV $$", "decoder_crashed"),
            ("head -c 1000 >/dev/null; kill -ABRT $$", "decoder_crashed"),
            ("exit 74", "decoder_crashed"),
            ("exec sleep 1000", "decoder_timed_out"),
            ("cat >/dev/null; exec sleep 1000", "decoder_timed_out"),
            ("head -c 360000 >/dev/null; echo what a lovely photo this is; exec sleep 1000", "decoder_garbled"),
            ("exec cat /dev/zero", "decoder_garbled"),
            ("exec yes", "decoder_garbled"),
            (#"head -c 1000 >/dev/null; \#(answer)'\377\377\377\377\377\377\0\0'; exec sleep 1000"#, "decoder_garbled"),
            (#"head -c 360000 >/dev/null; \#(answer)'\0\0\0\010\0\0\0\0'; exec yes"#, "decoder_garbled"),
            (#"head -c 360000 >/dev/null; \#(answer)'\011\0\0\0\0\0\0\0'; exit 0"#, "decoder_crashed"),
        ])
    func oneDeed(deed: String, code: String) throws {
        let workshop = try Workshop()
        let photo = try Self.photo(workshop)
        // A busy machine takes seconds to start a decoder. Only one that does nothing is waited for so long.
        let client = ImagingClient(
            workers: 1, program: try Self.planted(workshop, deed), seconds: code == "decoder_timed_out" ? 15 : 300)
        let error = #expect(throws: ImagingError.self) { try client.render(photo, as: Self.request) }
        #expect(error?.code == code)
        #expect(error?.isForEveryPhoto == false)
        #expect(try client.render(photo, as: Self.request).pixels == PixelSize(width: 32, height: 24))
    }

    @Test("how a decoder ended is told")
    func ending() throws {
        let workshop = try Workshop()
        let photo = try Self.photo(workshop)
        let client = ImagingClient(workers: 1, program: try Self.planted(workshop, "kill -SEGV $$"))
        #expect(throws: ImagingError.crashed(.signal(SIGSEGV))) { try client.render(photo, as: Self.request) }
    }

    @Test("a decoder that ended between two photos is replaced without a loss")
    func endedWhileIdle() throws {
        let workshop = try Workshop()
        let photo = try Self.photo(workshop)
        // It writes down its number, so that it can be ended from outside.
        let program = try workshop.script(
            "noted", "echo $$ >> '\(workshop.folder)/pids'\nexec '\(workshop.imaging)'")
        let client = ImagingClient(workers: 1, program: program)
        for _ in 0..<2 { _ = try client.render(photo, as: Self.request) }
        let pids = String(decoding: try Files.read(workshop.folder / "pids", limit: 1000), as: UTF8.self)
        let pid = try #require(Int32(pids.split(separator: "\n").joined(separator: "-")), "one process for both")
        kill(pid, SIGKILL)
        var end = siginfo_t()
        #expect(waitid(P_PID, id_t(pid), &end, WEXITED | WNOWAIT) == 0)
        #expect(try client.render(photo, as: Self.request).pixels == PixelSize(width: 32, height: 24))
    }

    @Test("several threads share the decoders, and each gets the picture of its own photo")
    func threads() throws {
        let workshop = try Workshop()
        var photos: [FilePath] = []
        for width in 30..<54 {
            photos.append(
                try workshop.fields([[9, 9, 9], [9, 9, 9], [9, 9, 9], [9, 9, 9]], width: width, height: 60))
        }
        let client = ImagingClient(workers: 2)
        let widths = Mutex<[Int: Int]>([:])
        let paths = photos
        DispatchQueue.concurrentPerform(iterations: paths.count) { @Sendable index in
            let request = ImageRequest(mime: "image/png", box: .original)
            let width = (try? client.render(paths[index], as: request))?.pixels.width
            widths.withLock { $0[index] = width }
        }
        #expect(widths.withLock { $0 } == Dictionary(uniqueKeysWithValues: (0..<24).map { ($0, $0 + 30) }))
        client.shutdown()
        #expect(try client.render(paths[0], as: Self.request).pixels == PixelSize(width: 24, height: 48))
    }

    @Test("a missing program is named, once for all photos")
    func missing() throws {
        let workshop = try Workshop()
        let photo = try Self.photo(workshop)
        let nowhere = workshop.folder / "nowhere"
        let client = ImagingClient(workers: 1, program: nowhere)
        let error = #expect(throws: ImagingError.missingProgram(nowhere)) { try client.render(photo, as: Self.request) }
        #expect(error?.isForEveryPhoto == true)
    }

    @Test("a decoder that cannot shut itself in takes no photo", arguments: [69, 71])
    func unfit(status: Int32) throws {
        let workshop = try Workshop()
        let photo = try Self.photo(workshop)
        let client = ImagingClient(workers: 1, program: try workshop.script("unfit", "exit \(status)"))
        let error = #expect(throws: ImagingError.unfit(status: status)) { try client.render(photo, as: Self.request) }
        #expect(error?.isForEveryPhoto == true)
    }

    @Test("a photo that becomes shorter while it is read is told, and harms no other")
    func shrinking() throws {
        let workshop = try Workshop()
        let photo = try Self.photo(workshop)
        let other = try workshop.fields([[9, 9, 9], [9, 9, 9], [9, 9, 9], [9, 9, 9]])
        // The decoder waits until half of the photo has come, and cuts it meanwhile.
        let client = ImagingClient(
            workers: 1,
            program: try Self.planted(
                workshop, "truncate -s 300000 '\(photo)'; cat >/dev/null; exec sleep 1000"), seconds: 300)
        let large = try FileDescriptor.openForReading(photo)
        let grown = try Files.status(photo).size
        #expect(grown > 300_000)
        // More than the pipe holds, so that the end is read only after the cut.
        try Workshop.run("/usr/bin/truncate", "-s", "8000000", photo.description)
        #expect(throws: ImagingError.changed) { try client.render(large, as: Self.request) }
        #expect(try client.render(other, as: Self.request).pixels == PixelSize(width: 32, height: 24))
    }

    @Test("orders and answers survive the way, and what is none is refused")
    func frames() throws {
        let order = ImagingOrder(
            operation: .render, turn: 6, box: .thumbnail(shortSide: 240, longSide: 720), quality: 82, length: 70_000)
        #expect(order.bytes.count == ImagingFrame.orderLength)
        #expect(ImagingOrder(bytes: order.bytes) == order)
        let answer = ImagingAnswer(outcome: .picture, isDamaged: true, width: 320, height: 70_000, length: 1 << 20)
        #expect(answer.bytes.count == ImagingFrame.answerLength)
        #expect(ImagingAnswer(bytes: answer.bytes) == answer)
        for at in [0, 3, 4, 5, 6, 7, 26] {
            var broken = order.bytes
            broken[at] = 0xee
            #expect(ImagingOrder(bytes: broken) == nil)
        }
        for at in [0, 4, 5, 22] {
            var broken = answer.bytes
            broken[at] = 0xee
            #expect(ImagingAnswer(bytes: broken) == nil)
        }
        #expect(ImagingOrder(bytes: Array(order.bytes.dropLast())) == nil)
        #expect(ImagingAnswer(bytes: answer.bytes + [0]) == nil)
    }
}
