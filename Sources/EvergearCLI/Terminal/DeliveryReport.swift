import Notes
import Storage
import System

/// A job with its receipt, for machines: where a note went, and when.
struct DeliveryJSON: Encodable {
    let job: Int64
    /// Left out where it was removed since.
    let draft: Int64?
    let title: String
    let part: Int
    let parts: Int
    let layout: String
    let destination: String
    let delivered: String
    /// The ENEX file that it is in.
    let path: String?
    let pathHex: String?
    /// The note's number at the service.
    let guid: String?
    let bytes: Int64
    /// True where somebody said that it has arrived; then there is neither file nor number.
    let byHand: Bool

    init?(_ job: Job) {
        guard let receipt = job.receipt else { return nil }
        self.job = job.id
        draft = job.draft
        title = job.title
        part = job.part
        parts = job.parts
        layout = job.layout
        destination = job.destination
        delivered = receipt.delivered.iso8601
        let place = receipt.path.map(PathName.init)
        path = place?.path
        pathHex = place?.pathHex
        guid = receipt.guid
        bytes = job.bytes
        byHand = receipt.isByHand
    }
}

/// Deliveries for people.
enum DeliveryReport {
    /// `2026-05-03 10:11`, by this machine's clock.
    static func time(_ time: Timestamp) -> String {
        let local = time.moment(offset: Zone.system.offset(at: time.milliseconds / 1000)).local
        return String(local.description.prefix(16).replacing("T", with: " "))
    }

    /// `in /home/me/evergear/Travel.enex`, `at evernote, note 5f2c…`: behind a time.
    static func place(of job: Job) -> String {
        guard let receipt = job.receipt else { return "to \(job.destination)" }
        if let path = receipt.path { return "in \(path)" }
        if let guid = receipt.guid { return "at \(job.destination), note \(guid)" }
        return "to \(job.destination), as somebody said (marked by hand)"
    }
}
