public import Notes

/// What a photo looks like in a note: the files that stand for it.
public struct Picture: Hashable, Sendable {
    public var photo: Photo
    /// The picture itself: the original, or the copy that goes out for it; a video. nil where the layout leaves it at home.
    public var full: Resource?
    /// The small one. nil where the layout needs none, or none could be made.
    public var thumb: Resource?
    /// A sentence for the reader of the note about what went wrong with this photo.
    public var notice: String?
    /// A sentence for the writer alone.
    public var remark: String?
    /// How the pixels of `full` are to be turned to be seen upright, 1 to 8.
    public var turn = 1

    public init(photo: Photo, full: Resource?, thumb: Resource? = nil, notice: String? = nil) {
        self.photo = photo
        self.full = full
        self.thumb = thumb
        self.notice = notice
    }

    /// As displayed, where any of its files says so.
    var displaySize: PixelSize? { full?.pixels ?? photo.displaySize ?? thumb?.pixels }
}

/// The outline of a picture as displayed, by which a layout places it.
enum PictureShape: String {
    case landscape, portrait, square, panorama

    /// A picture of unknown size is taken for a landscape.
    init(_ size: PixelSize?) {
        guard let size else {
            self = .landscape
            return
        }
        let ratio = Double(size.width) / Double(size.height)
        self = ratio > 2 ? .panorama : ratio < 0.95 ? .portrait : ratio < 1.05 ? .square : .landscape
    }
}

/// The boxes that small pictures are shown in, in pixels of the page.
enum PictureBox {
    /// Beside the words of its memo; a panorama above them.
    case card
    /// In a row, where a memo has several, and on a contact sheet.
    case row

    /// The largest size in the box that keeps the picture's proportions, never larger than the picture.
    func fit(_ size: PixelSize) -> PixelSize {
        let (width, height) =
            switch self {
            case .card: PictureShape(size) == .panorama ? (360, 120) : (120, 160)
            case .row: (232, 76)
            }
        return size.scaled(by: min(1, Double(width) / Double(size.width), Double(height) / Double(size.height)))
    }

    /// The width at which a tall picture is shown large, so that it is no taller than a window; nil for the others,
    /// which are as wide as the page.
    static func largeWidth(_ size: PixelSize) -> Int? {
        PictureShape(size) == .portrait && size.width > 480 ? 480 : nil
    }
}
