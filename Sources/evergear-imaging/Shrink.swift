import Glibc

extension Raster {
    /// A smaller picture of four channels, by the Lanczos kernel of three lobes, stretched over the source pixels that a
    /// pixel covers: sharp, and without patterns from what is too fine to be shown.
    ///
    /// Rows are shrunk one by one and kept only while they are needed, so it takes little memory.
    /// - Returns: nil where there is no memory for it.
    func shrunk(to width: Int, _ height: Int) -> Raster? {
        guard channels == 4, width <= self.width, height <= self.height,
            var result = Raster(width: width, height: height, channels: 4)
        else { return nil }
        let across = Taps(from: self.width, to: width)
        let down = Taps(from: self.height, to: height)
        // Source rows, made narrower, in a ring as long as the kernel is high.
        let ring = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: down.count * width)
        let sums = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: width)
        defer {
            ring.deallocate()
            sums.deallocate()
        }
        var ready = 0
        for y in 0..<height {
            let first = down.firsts[y]
            while ready < first + down.count {
                if ready >= first { narrow(ready, by: across, into: ring + ready % down.count * width) }
                ready += 1
            }
            sums.update(repeating: .zero, count: width)
            for tap in 0..<down.count {
                let weight = down.weights[y * down.count + tap]
                let row = ring + (first + tap) % down.count * width
                for x in 0..<width { sums[x] += row[x] * weight }
            }
            let line = UnsafeMutableRawPointer(result.row(y)).assumingMemoryBound(to: SIMD4<UInt8>.self)
            for x in 0..<width { line[x] = rounded(sums[x]) }
        }
        result.isDamaged = isDamaged
        return result
    }

    private func narrow(_ y: Int, by taps: Taps, into line: UnsafeMutablePointer<SIMD4<Float>>) {
        let pixels = UnsafeRawPointer(row(y)).assumingMemoryBound(to: SIMD4<UInt8>.self)
        taps.weights.withUnsafeBufferPointer { weights in
            taps.firsts.withUnsafeBufferPointer { firsts in
                var weight = 0
                for x in 0..<firsts.count {
                    var sum = SIMD4<Float>.zero
                    for source in firsts[x]..<firsts[x] + taps.count {
                        sum += SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: pixels[source])) * weights[weight]
                        weight += 1
                    }
                    line[x] = sum
                }
            }
        }
    }
}

/// Rounded to 0 … 255, by the processor's own rounding: with 1.5 × 2²³ added, a float's last bits are its whole number.
private func rounded(_ sum: SIMD4<Float>) -> SIMD4<UInt8> {
    var sum = sum
    sum.replace(with: 0, where: sum .< 0)
    sum.replace(with: 255, where: sum .> 255)
    return SIMD4<UInt8>(truncatingIfNeeded: unsafeBitCast(sum + 12_582_912, to: SIMD4<Int32>.self))
}

/// For each target pixel of a line: from which source pixels it is made, and with which weights.
private struct Taps {
    /// Source pixels for each target pixel.
    let count: Int
    let firsts: [Int]
    /// `count` for each target pixel, of sum 1.
    let weights: [Float]

    init(from source: Int, to target: Int) {
        let scale = Double(source) / Double(target)
        let reach = 3 * scale
        count = min(source, Int((2 * reach).rounded(.up)) + 1)
        var firsts: [Int] = []
        var weights: [Float] = []
        firsts.reserveCapacity(target)
        weights.reserveCapacity(target * count)
        for i in 0..<target {
            let centre = (Double(i) + 0.5) * scale
            let first = min(max(0, Int((centre - reach).rounded(.down))), source - count)
            let line = (first..<first + count).map { Self.lanczos((Double($0) + 0.5 - centre) / scale) }
            let sum = line.reduce(0, +)
            firsts.append(first)
            weights += line.map { Float($0 / sum) }
        }
        self.firsts = firsts
        self.weights = weights
    }

    private static func lanczos(_ x: Double) -> Double {
        if abs(x) < 1e-9 { return 1 }
        if abs(x) >= 3 { return 0 }
        let t = x * .pi
        return 3 * sin(t) * sin(t / 3) / (t * t)
    }
}
