import Foundation
import System
import Testing
import Workbench

extension Evergear {
    /// Has the program send to a service, as a user's settings would.
    /// - Parameter token: In the environment; nil: none.
    func use(_ peer: EvernotePeer, token: String?) {
        environment["EVERGEAR_TO"] = "evernote"
        environment["EVERGEAR_SERVICE"] = peer.address
        environment["EVERGEAR_CA_FILE"] = peer.caFile?.description
        environment["EVERGEAR_TOKEN"] = token
    }

    func use(_ peer: EvernotePeer) { use(peer, token: peer.token) }

    /// The state and the code of a job's failure, as `queue show --json` tells them.
    func standing(ofJob job: Int) throws -> (state: String?, code: String?, message: String?) {
        let shown = try run("queue", "show", String(job), "--json").object()
        return (shown["state"] as? String, shown["code"] as? String, shown["message"] as? String)
    }

    /// Rows of the store, read without the program.
    private func rows(_ query: String) throws -> [[String: Any]] {
        let (output, status) = try Workbench.run(
            "/usr/bin/sqlite3", ["-readonly", "-json", home.appending(path: "store.sqlite").path, query])
        try #require(status == .status(0))
        if output.isEmpty { return [] }
        return try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]])
    }

    /// A job as it was frozen: what has to arrive.
    func frozen(_ job: Int) throws -> FrozenJob {
        let row = try #require(
            try rows("SELECT title, created, updated, tags, notebook, attributes FROM job WHERE id = \(job)").first)
        let content = try run("queue", "show", String(job), "--content", "--json").object()["content"] as? String
        return FrozenJob(
            title: try #require(row["title"] as? String), enml: try #require(content),
            created: try #require(row["created"] as? Int64), updated: try #require(row["updated"] as? Int64),
            tags: try #require(try value(row["tags"]) as? [String]), notebook: row["notebook"] as? String,
            attributes: try #require(try value(row["attributes"]) as? [String: Any]),
            resources: try rows(
                "SELECT lower(hex(md5)) AS md5, size, mime, width, height, attributes FROM job_resource "
                    + "WHERE job = \(job) ORDER BY position"
            ).map { row in
                FrozenJob.Resource(
                    md5: try #require(row["md5"] as? String), size: try #require(row["size"] as? Int),
                    mime: try #require(row["mime"] as? String), width: row["width"] as? Int,
                    height: row["height"] as? Int,
                    attributes: try #require(try value(row["attributes"]) as? [String: Any]))
            })
    }

    private func value(_ json: Any?) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(try #require(json as? String).utf8))
    }
}

/// A job as it stands in the store.
struct FrozenJob {
    struct Resource {
        let md5: String
        let size: Int
        let mime: String
        let width, height: Int?
        let attributes: [String: Any]
    }

    let title, enml: String
    let created, updated: Int64
    let tags: [String]
    let notebook: String?
    let attributes: [String: Any]
    let resources: [Resource]

    /// Names of the fields in which a note that arrived is not this one.
    func differences(from note: EvernotePeer.Note) -> [String] {
        var names: [String] = []
        func compare<Value: Equatable>(_ name: String, _ one: Value?, _ other: Value?) {
            if one != other {
                names.append(
                    "\(name): \(one.map { "\($0)" } ?? "nothing"), arrived \(other.map { "\($0)" } ?? "nothing")")
            }
        }
        compare("title", title, note.title)
        compare("content", enml, note.content)
        compare("created", created, note.created)
        compare("updated", updated, note.updated)
        let there = note.attributes
        compare("subjectDate", attributes["subjectDate"] as? Int64, there?.subjectDate)
        compare("latitude", attributes["latitude"] as? Double, there?.latitude)
        compare("longitude", attributes["longitude"] as? Double, there?.longitude)
        compare("altitude", attributes["altitude"] as? Double, there?.altitude)
        compare("placeName", attributes["placeName"] as? String, there?.placeName)
        compare("sourceURL", attributes["sourceURL"] as? String, there?.sourceURL)
        compare("source", "evergear", there?.source)
        compare("sourceApplication", "evergear", there?.sourceApplication)
        compare("noteTitleQuality", attributes["titleQuality"] as? Int, there?.noteTitleQuality)
        compare("contentClass", nil, there?.contentClass)
        compare("resources", resources.map(\.md5), note.resources?.map(\.data.bodyHash) ?? [])
        for (wanted, found) in zip(resources, note.resources ?? []) {
            let file = wanted.attributes["fileName"] as? String ?? ""
            compare("\(file) size", wanted.size, found.data.size)
            compare("\(file) mime", wanted.mime, found.mime)
            // Sixteen bits with a sign: a side beyond is left out, and the other with it.
            let fits = max(wanted.width ?? 0, wanted.height ?? 0) <= 32_767
            compare("\(file) width", fits ? wanted.width : nil, found.width)
            compare("\(file) height", fits ? wanted.height : nil, found.height)
            let there = found.attributes
            compare("\(file) fileName", file, there?.fileName)
            compare("\(file) timestamp", wanted.attributes["timestamp"] as? Int64, there?.timestamp)
            compare("\(file) latitude", wanted.attributes["latitude"] as? Double, there?.latitude)
            compare("\(file) longitude", wanted.attributes["longitude"] as? Double, there?.longitude)
            compare("\(file) altitude", wanted.attributes["altitude"] as? Double, there?.altitude)
            compare("\(file) camera make", wanted.attributes["cameraMake"] as? String, there?.cameraMake)
            compare("\(file) camera model", wanted.attributes["cameraModel"] as? String, there?.cameraModel)
        }
        return names
    }
}
