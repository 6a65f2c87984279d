import Layouts
import Notes
import Testing

@Suite("A draft is split into the fewest parts, evenly")
struct NotePlannerTests {
    private func key(_ number: Int, _ size: Int64) throws -> BlobKey {
        let bytes = (0..<16).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * $0)) : 0 }
        return BlobKey(md5: try #require(MD5(bytes: bytes)), size: size)
    }

    private func memos(_ count: Int, size: Int64 = 1_000) throws -> [NotePlanner.Weight] {
        try (0..<count).map { NotePlanner.Weight(photos: 1, resources: [try key($0, size)], text: 100) }
    }

    @Test("250 photos become 84, 83 and 83, in order")
    func even() throws {
        let parts = try NotePlanner().parts(memos(250))
        #expect(parts.map(\.count).sorted() == [83, 83, 84])
        #expect(parts.first?.lowerBound == 0)
        #expect(parts.last?.upperBound == 250)
    }

    @Test("100 photos of 2,000,000 bytes are one note, of 2 MiB they are not")
    func bytes() throws {
        #expect(try NotePlanner().parts(memos(100, size: 2_000_000)).count == 1)
        #expect(try NotePlanner().parts(memos(100, size: 2_097_152)).map(\.count) == [50, 50])
    }

    @Test("identical bytes of one part count once")
    func identical() throws {
        let same = NotePlanner.Weight(photos: 1, resources: [try key(1, 900), try key(1, 900)], text: 0)
        let planner = NotePlanner(.init(photos: 100, bytes: 1_000, allowance: 0))
        #expect(try planner.parts(Array(repeating: same, count: 50)).count == 1)
    }

    @Test("a draft without memos is one part; its own text counts in the first part only")
    func head() throws {
        #expect(try NotePlanner().parts([]) == [0..<0])
        let planner = NotePlanner(.init(photos: 10, bytes: 2_500, allowance: 0))
        #expect(try planner.parts(memos(4, size: 1_000), head: 0).map(\.count) == [2, 2])
        #expect(try planner.parts(memos(4, size: 1_000), head: 600).map(\.count) == [1, 1, 2])
    }

    @Test("10,000 photos are 100 notes, and so are 20,000 memos with and without photos 100 notes")
    func large() throws {
        #expect(try NotePlanner().parts(memos(10_000)).allSatisfy { $0.count == 100 })
        var memos = try memos(20_000)
        for index in stride(from: 0, to: memos.count, by: 2) {
            memos[index] = .init(photos: 0, resources: [], text: 10)
        }
        #expect(try NotePlanner().parts(memos).count == 100)
        #expect(try NotePlanner().parts(memos.dropLast(37)).count == 100)
    }

    @Test("a memo that no note can hold is named with its bytes")
    func tooLarge() throws {
        var memos = try memos(3)
        memos[1].resources = [try key(9, 300_000_000)]
        #expect(throws: PlanError.tooLarge(memo: 1, bytes: 300_016_484, text: 16_484, limit: 209_715_200)) {
            try NotePlanner().parts(memos)
        }
        memos[1] = NotePlanner.Weight(photos: 101, resources: [], text: 0)
        #expect(throws: PlanError.tooManyPhotos(memo: 1, photos: 101, limit: 100)) { try NotePlanner().parts(memos) }
        memos[1] = NotePlanner.Weight(photos: 0, resources: [], text: 6_000_000)
        #expect(throws: PlanError.tooMuchText(memo: 1, characters: 6_016_384, limit: 5_242_880)) {
            try NotePlanner().parts(memos)
        }
        #expect(throws: PlanError.headTooLong(characters: 6_016_384, limit: 5_242_880)) {
            try NotePlanner().parts(memos, head: 6_000_000)
        }
        memos[1] = NotePlanner.Weight(photos: 0, resources: [try key(1, .max), try key(2, .max)], text: .max)
        #expect(throws: PlanError.self) { try NotePlanner().parts(memos) }
    }

    @Test("a memo with 250 photos is cut into three continued ones")
    func cut() throws {
        let photos = try (0..<250).map { Photo(blob: try key($0, 10), mime: "image/jpeg", pixels: nil, name: "\($0)") }
        let memo = Memo(id: 7, text: "Market", photos: photos)
        let pieces = try NotePlanner().cut(memo, text: 6) {
            NotePlanner.Weight(photos: 1, resources: [$0.blob], text: 200)
        }
        #expect(pieces.flatMap(\.photos) == photos)
        #expect(pieces.map(\.photos.count).sorted() == [83, 83, 84])
        #expect(pieces.map(\.text) == ["Market", "", ""])
        #expect(pieces.allSatisfy { $0.id == 7 })
    }

    @Test("small drafts: the union is in order, the limits are kept, nothing has fewer parts or more even ones")
    func againstBruteForce() throws {
        var random = Seeded(2)
        for _ in 0..<400 {
            let count = Int.random(in: 1...8, using: &random)
            let limits = NotePlanner.Limits(
                photos: Int.random(in: 3...6, using: &random), bytes: Int64.random(in: 90...160, using: &random),
                characters: 60, allowance: Int.random(in: 0...10, using: &random))
            var memos: [NotePlanner.Weight] = []
            for _ in 0..<count {
                let photos = Int.random(in: 0...3, using: &random)
                // Few different keys, so that identical bytes meet.
                let resources = try (0..<photos).map { _ in
                    let number = Int.random(in: 0...5, using: &random)
                    return try key(number, Int64(5 + 5 * number))
                }
                memos.append(.init(photos: photos, resources: resources, text: Int.random(in: 0...20, using: &random)))
            }
            let head = Int.random(in: 0...15, using: &random)
            let weigh = { (range: Range<Int>) -> (photos: Int, bytes: Int64)? in
                let photos = memos[range].reduce(0) { $0 + $1.photos }
                let text = memos[range].reduce(limits.allowance + (range.lowerBound == 0 ? head : 0)) { $0 + $1.text }
                let bytes = Set(memos[range].flatMap(\.resources)).reduce(Int64(text)) { $0 + $1.size }
                return photos <= limits.photos && text <= limits.characters && bytes <= limits.bytes
                    ? (photos, bytes) : nil
            }
            // Every way to cut: a bit for each gap.
            var best: (parts: Int, photos: Int, bytes: Int64)?
            for cuts in 0..<(1 << (count - 1)) {
                let ends = (1..<count).filter { cuts >> ($0 - 1) & 1 == 1 } + [count]
                let ranges = zip([0] + ends, ends).map { $0..<$1 }
                let weights = ranges.compactMap(weigh)
                guard weights.count == ranges.count else { continue }
                let found = (
                    ranges.count, weights.reduce(0) { $0 + $1.photos * $1.photos },
                    weights.reduce(0) { $0 + $1.bytes * $1.bytes }
                )
                if best.map({ found < $0 }) ?? true { best = found }
            }
            let planner = NotePlanner(limits)
            guard let best else {
                #expect(throws: PlanError.self) { try planner.parts(memos, head: head) }
                continue
            }
            let parts = try planner.parts(memos, head: head)
            #expect(parts.first?.lowerBound == 0 && parts.last?.upperBound == count)
            #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
            let weights = parts.compactMap(weigh)
            try #require(weights.count == parts.count)
            #expect(parts.count == best.parts)
            #expect(weights.reduce(0) { $0 + $1.photos * $1.photos } == best.photos)
            #expect(weights.reduce(0) { $0 + $1.bytes * $1.bytes } == best.bytes)
        }
    }

    @Test("a piece of a memo has its frame, the first the text, and the draft's own text before the first memo")
    func pieces() throws {
        let photos = try (0..<4).map { Photo(blob: try key($0, 200), mime: "image/jpeg", pixels: nil, name: "\($0)") }
        let memo = Memo(id: 7, number: 9, text: "Market", photos: photos)
        let planner = NotePlanner(.init(photos: 10, bytes: 620, characters: 300, allowance: 10))
        func counts(text: Int = 0, frame: Int = 0, head: Int = 0) throws -> [Int] {
            let pieces = try planner.cut(memo, text: text, frame: frame, head: head) {
                NotePlanner.Weight(photos: 1, resources: [$0.blob], text: 0)
            }
            #expect(pieces.allSatisfy { $0.number == 9 })
            return pieces.map(\.photos.count)
        }
        #expect(try counts() == [2, 2])
        #expect(try counts(text: 211) == [1, 3])
        #expect(try counts(head: 211) == [1, 3])
        #expect(try counts(text: 211, frame: 20) == [1, 1, 2])
        #expect(throws: PlanError.tooMuchText(memo: 0, characters: 310, limit: 300)) { try counts(text: 300) }
        #expect(throws: PlanError.tooMuchText(memo: 0, characters: 310, limit: 300)) {
            try counts(text: 100, head: 200)
        }
        #expect(throws: PlanError.headTooLong(characters: 310, limit: 300)) { try counts(head: 300) }
        #expect(throws: PlanError.self) { try counts(text: .max, frame: .max, head: .max) }
    }

    @Test("the advice names a size at which the draft fits, and knows when none helps")
    func advice() throws {
        func advice(_ count: Int, size: Int64, mime: String = "image/jpeg") throws -> PictureSizeAdvice {
            let pictures = try (0..<count).map {
                Resource(
                    blob: try key($0, size), mime: mime, pixels: PixelSize(width: 6_000, height: 4_000),
                    attributes: ResourceAttributes(fileName: "a"))
            }
            return PictureSizeAdvice.advise(pictures, photos: count, text: 5_000)
        }
        #expect(try advice(100, size: 1_000_000) == .fits)
        #expect(try advice(101, size: 1_000) == .never)
        guard case .longSide(let side) = try advice(100, size: 8_000_000) else {
            Issue.record("no size")
            return
        }
        // A quarter of the bytes, and a twentieth free: somewhere below half the long side.
        #expect((2_000...3_000).contains(side))
        #expect(side % 10 == 0)
        #expect(try advice(10, size: 80_000_000, mime: "video/mp4") == .never)
        #expect(PictureSizeAdvice.advise([], photos: 0, text: 6_000_000) == .never)
    }
}
