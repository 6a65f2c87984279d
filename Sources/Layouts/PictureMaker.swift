public import Notes
public import Photos
public import Storage
import System

/// What is to be made of the photos of a draft.
public struct PictureOptions: Hashable, Sendable {
    /// Pixels of a thumbnail's short side; the long side has at most three times as many.
    public var thumbSize = 240
    /// Pixels of an attached copy's long side; nil: the original, as it is.
    public var photoSize: Int?
    /// True: HEIC and other kinds that not every reader shows go out as they are, and not as JPEG.
    public var keepsOriginals = false

    public init() {}
}

/// Photos whose place is to stay at home, and that cannot go out without it: all of a draft, so that nobody takes them
/// out one by one.
public struct PlaceStays: Error, Hashable, Sendable {
    public struct Refused: Hashable, Sendable {
        /// The photo's.
        public let name: String
        /// In words, for a person.
        public let reason: String
    }

    public let photos: [Refused]

    /// With a better reason for some of them, by their names.
    public func because(_ reason: String, of names: Set<String>) -> PlaceStays {
        PlaceStays(photos: photos.map { names.contains($0.name) ? Refused(name: $0.name, reason: reason) : $0 })
    }
}

/// Makes the files that stand for photos in notes, each once, and remembers them in the store.
public struct PictureMaker {
    private let store: Store
    private let imaging: ImagingClient
    private let workers: Int
    private let options: PictureOptions

    /// Pictures that are made between two looks at the store: what an interrupt costs at most.
    private static let batch = 32

    /// - Parameter workers: Photos that are worked on at once.
    public init(store: Store, imaging: ImagingClient, workers: Int, options: PictureOptions) {
        self.store = store
        self.imaging = imaging
        self.workers = max(1, workers)
        self.options = options
    }

    /// What stands for each photo, by `Photo.id`.
    ///
    /// A video goes out as it is in every layout. A photo whose pixels cannot be had goes out as its original, with a notice. In place of an original that withholds
    /// its place stands a copy: its bytes without the place, or a JPEG where these leave a doubt.
    /// - Parameters:
    ///   - layout: Says which sizes are needed; nil, a user's own stylesheet, needs all.
    ///   - made: Called with the number of photos that are ready.
    /// - Throws: `StoreError`, `Interrupted`, `PlaceStays`; `ImagingError` where no photo at all could be decoded.
    public func pictures(
        of photos: [Photo], for layout: Layout?, made: (Int) -> Void = { _ in }
    ) throws -> [Int64: Picture] {
        var pictures: [Int64: Picture] = [:]
        var refused: [PlaceStays.Refused] = []
        for start in stride(from: 0, to: photos.count, by: Self.batch) {
            let some = Array(photos[start..<min(start + Self.batch, photos.count)])
            let hasThumbs = layout != .full && layout != .plain
            let thumbs = hasThumbs ? try copies(of: some.filter { !$0.isVideo }, thumb) : [:]
            let fulls = layout == .thumbs ? [:] : try copies(of: some.filter(needsCopy), large)
            let originals = try originals(
                of: some.filter { photo in
                    let isShown = layout != .thumbs && fulls[photo.id]?.isSuccess != true
                    return isShown || photo.isVideo || thumbs[photo.id]?.isSuccess == false
                }, &refused)
            for photo in some {
                pictures[photo.id] = picture(
                    of: photo, layout, thumbs[photo.id], fulls[photo.id], originals[photo.id])
            }
            made(some.count)
        }
        guard refused.isEmpty else { throw PlaceStays(photos: refused) }
        return pictures
    }

    /// A resource of a note small enough for a page, made once like every copy.
    /// - Parameters:
    ///   - turn: How the resource's pixels are to be turned to be seen upright, 1 to 8.
    ///   - longSide: Pixels.
    /// - Returns: nil where its pixels cannot be had, or it is a video.
    /// - Throws: `StoreError`, `Interrupted`.
    public func pagePicture(of resource: Resource, turn: Int, longSide: Int) throws -> [UInt8]? {
        guard resource.mime.hasPrefix("image/") else { return nil }
        let photo = Photo(
            blob: resource.blob, mime: resource.mime, pixels: resource.pixels, orientation: turn,
            name: resource.attributes.fileName)
        let recipe = Recipe(
            name: "page \(longSide) turn \(turn)",
            work: .draw(ImageRequest(mime: photo.mime, turn: turn, box: .longSide(longSide), quality: 72)))
        guard case .success(let copy)? = try copies(of: [photo], { _ in recipe })[photo.id] else { return nil }
        return try store.blobs.open(copy.blob).read(Int(copy.blob.size), at: 0)
    }

    // MARK: What a note shows

    /// What goes out where the original does.
    private struct Original {
        var resource: Resource
        var turn: Int
        var remark: String?
    }

    private func picture(
        of photo: Photo, _ layout: Layout?, _ thumb: Made?, _ copy: Made?, _ original: Original?
    ) -> Picture {
        var picture = Picture(photo: photo, full: nil)
        func attach(_ original: Original?) {
            picture.full = original?.resource
            picture.turn = original?.turn ?? 1
            picture.remark = original?.remark
        }
        if layout != .thumbs || photo.isVideo { attach(original) }
        if layout == .thumbs, photo.isVideo { picture.remark = "\(photo.name) goes out whole: it is a video" }
        switch copy {
        case .success(let copy):
            picture.full = resource(of: photo, copy)
            picture.turn = 1
            picture.notice = notice(photo, copy)
        case .failure(let error): picture.notice = notice(photo, error)
        case nil: break
        }
        switch thumb {
        case .success(let copy):
            picture.thumb = resource(of: photo, copy)
            picture.notice = picture.notice ?? notice(photo, copy)
        case .failure(let error):
            if picture.full == nil { attach(original) }
            picture.notice = notice(photo, error)
        case nil: break
        }
        return picture
    }

    private func notice(_ photo: Photo, _ error: CopyFailure) -> String {
        "\(photo.name) is attached as it is: \(error.reason)"
    }

    private func notice(_ photo: Photo, _ copy: PhotoCopy) -> String? {
        copy.isDamaged ? "\(photo.name) is damaged: what could be read of it is shown" : nil
    }

    /// - Throws: `StoreError`, `Interrupted`, `ImagingError`.
    private func originals(of photos: [Photo], _ refusals: inout [PlaceStays.Refused]) throws -> [Int64: Original] {
        let stripped = try copies(of: photos.filter(\.withholdsPlace), withoutPlace)
        let refused = photos.filter { stripped[$0.id]?.isSuccess == false && !$0.isVideo }
        let drawn = try copies(of: refused, large)
        var originals: [Int64: Original] = [:]
        for photo in photos {
            switch (stripped[photo.id], drawn[photo.id]) {
            case (nil, _):
                let resource = Resource(
                    blob: photo.blob, mime: photo.mime, pixels: photo.displaySize, attributes: attributes(of: photo))
                originals[photo.id] = Original(resource: resource, turn: photo.orientation)
            case (.success(let copy), _):
                originals[photo.id] = Original(resource: resource(of: photo, copy), turn: photo.orientation)
            case (.failure(let error), .success(let copy)):
                originals[photo.id] = Original(
                    resource: resource(of: photo, copy), turn: 1,
                    remark: "\(photo.name) goes out as a JPEG, to be sure of its place: \(error.reason)")
            case (.failure(let error), _):
                refusals.append(PlaceStays.Refused(name: photo.name, reason: error.reason))
            }
        }
        return originals
    }

    private func resource(of photo: Photo, _ copy: PhotoCopy) -> Resource {
        Resource(blob: copy.blob, mime: copy.mime, pixels: copy.pixels, attributes: attributes(of: photo))
    }

    private func attributes(of photo: Photo) -> ResourceAttributes {
        ResourceAttributes(
            fileName: photo.name, timestamp: photo.moment?.timestamp.milliseconds, place: photo.place,
            camera: photo.camera)
    }

    // MARK: Copies

    /// What a copy is made by. Its name is all that the copy depends on beside the photo's bytes.
    private struct Recipe {
        let name: String
        let work: Work

        enum Work {
            /// A JPEG of its pixels.
            case draw(ImageRequest)
            /// The same, which tells time, place and camera of the photo.
            case drawAndTell(ImageRequest)
            /// Its bytes, without the place.
            case takePlaceOut
        }
    }

    private enum CopyFailure: Error, Sendable {
        case imaging(ImagingError)
        case location(LocationError)

        var reason: String {
            switch self {
            case .imaging(let error): error.reason
            case .location(let error): error.reason
            }
        }
    }

    private typealias Made = Result<PhotoCopy, CopyFailure>

    private func thumb(_ photo: Photo) -> Recipe {
        Recipe(
            name: "thumb \(options.thumbSize) turn \(photo.orientation)",
            work: .draw(.thumbnail(mime: photo.mime, turn: photo.orientation, shortSide: options.thumbSize)))
    }

    private func large(_ photo: Photo) -> Recipe {
        let box = options.photoSize.map { ImageRequest.Box.longSide($0) } ?? .original
        return Recipe(
            name: "jpeg \(options.photoSize.map(String.init) ?? "full") turn \(photo.orientation) \(told(of: photo))",
            work: .drawAndTell(ImageRequest(mime: photo.mime, turn: photo.orientation, box: box, quality: 90)))
    }

    /// What such a copy tells in its EXIF. The same bytes may come in twice, with another time or place each.
    private func told(of photo: Photo) -> String {
        let time = photo.moment.map { "at \($0)\($0.isOffsetAssumed ? " assumed" : "")" } ?? "at no time"
        guard let place = photo.place, !photo.withholdsPlace else { return time + " without place" }
        return time + " in \(place.latitude),\(place.longitude),\(place.altitude ?? 0)"
    }

    /// The number grows whenever more is taken out: a copy that was made before may tell a place still.
    private func withoutPlace(_ photo: Photo) -> Recipe { Recipe(name: "without place 2", work: .takePlaceOut) }

    /// A photo that goes out as another file than its original.
    private func needsCopy(_ photo: Photo) -> Bool {
        if photo.isVideo { return false }
        if let limit = options.photoSize, let size = photo.pixels, max(size.width, size.height) > limit { return true }
        return !options.keepsOriginals && !["image/jpeg", "image/png", "image/gif"].contains(photo.mime)
    }

    private func copies(
        of photos: [Photo], _ recipe: (Photo) -> Recipe
    ) throws -> [Int64: Made] {
        var results: [Int64: Made] = [:]
        var missing: [(photo: Photo, recipe: Recipe)] = []
        for photo in photos {
            let recipe = recipe(photo)
            if let known = try store.copy(of: photo.blob, by: recipe.name) {
                results[photo.id] = .success(known)
            } else {
                missing.append((photo, recipe))
            }
        }
        let made = try make(missing)
        try store.addCopies(
            zip(missing, made).compactMap { wanted, result in
                (try? result.get()).map { (photo: wanted.photo.blob, recipe: wanted.recipe.name, copy: $0) }
            })
        for (wanted, result) in zip(missing, made) {
            if case .failure(.imaging(let error)) = result, error.isForEveryPhoto {
                if error == .interrupted { throw Interrupted() }
                throw error
            }
            results[wanted.photo.id] = result
        }
        return results
    }

    /// Makes copies on several threads, and keeps their bytes.
    private func make(_ wanted: [(photo: Photo, recipe: Recipe)]) throws -> [Made] {
        let blobs = store.blobs
        let imaging = imaging
        let made = wanted.concurrentMap(threads: workers) { photo, recipe in
            Result<Made, any Error> { try Self.make(recipe.work, of: photo, imaging, blobs) }
        }
        return try made.map { try $0.get() }
    }

    private static func make(
        _ work: Recipe.Work, of photo: Photo, _ imaging: ImagingClient, _ blobs: BlobStore
    ) throws -> Made {
        switch work {
        case .draw(let request), .drawAndTell(let request):
            let image: RenderedImage
            do throws(ImagingError) {
                image = try imaging.render(blobs.path(of: photo.blob), as: request)
            } catch { return .failure(.imaging(error)) }
            let tells = if case .drawAndTell = work { true } else { false }
            let jpeg = tells ? EXIFWriter.adding(photo, to: image.jpeg) : image.jpeg
            return .success(
                PhotoCopy(
                    blob: try blobs.add(jpeg), mime: "image/jpeg", pixels: image.pixels, isDamaged: image.isDamaged))
        case .takePlaceOut:
            if Interrupt.isRaised { return .failure(.imaging(.interrupted)) }
            if photo.isVideo { return .failure(.location(.notSupported(PhotoFormat(mime: photo.mime)))) }
            guard photo.blob.size <= LocationStripper.longest else { return .failure(.location(.tooLong)) }
            guard let size = photo.displaySize else {
                return .failure(.location(.uncertain("the size of its picture is not known")))
            }
            let bytes = try blobs.open(photo.blob).read(Int(photo.blob.size), at: 0)
            let stripped: LocationStripper.Stripped
            do throws(LocationError) {
                stripped = try LocationStripper.strip(bytes)
            } catch { return .failure(.location(error)) }
            return .success(
                PhotoCopy(blob: try blobs.add(stripped.bytes), mime: photo.mime, pixels: size, isDamaged: false))
        }
    }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
