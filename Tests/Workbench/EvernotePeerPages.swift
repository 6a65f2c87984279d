// What the pages of the service take and give.

extension EvernotePeer {
    /// What is to go wrong with a request. Each field is meant for some actions only.
    public struct Fault: Encodable, Sendable {
        public enum Action: String, Encodable, Sendable {
            /// The connection ends: before the body is read, in its midst (after `bytes`), after the note is stored.
            case dropBeforeRead = "drop_before_read"
            case dropMidBody = "drop_mid_body"
            case dropAfterCommit = "drop_after_commit"
            /// The connection ends when all is read; the note is stored `seconds` later.
            case commitAfter = "commit_after"
            /// Waits `seconds` before it acts (1, where nothing is said) and `after` seconds before it answers.
            case delay
            /// Answers with an HTTP `status` and perhaps `retryAfter`; where `early` is true before it reads the body.
            case http
            /// EDAMSystemException with a `code` by name, and perhaps `message` and `rateLimitDuration`.
            case system
            /// EDAMUserException with a `code` by name and `parameter`.
            case user
            /// EDAMNotFoundException with `identifier` and `key`.
            case notFound = "notfound"
            /// TApplicationException.
            case applicationException = "app_exception"
            /// The note is stored; the answer is `bytes` of garbage, is cut off after `bytes`, or comes in pieces of
            /// `bytes` with pauses of `seconds`.
            case garbage
            case truncate
            case slowDrip = "slow_drip"
            /// The request is read at `bytesPerSecond`.
            case throttle
            /// The note is stored; the answer is to another call.
            case wrongSequenceID = "wrong_seqid"
            case wrongName = "wrong_name"
        }

        public var method: String
        public var action: Action
        /// How many requests it happens to, and how many pass before.
        public var times: Int?
        public var skip: Int?
        public var bytes: Int?
        public var seconds: Double?
        public var after: Double?
        public var status: Int?
        public var retryAfter: String?
        public var early: Bool?
        public var code: String?
        public var parameter: String?
        public var message: String?
        public var rateLimitDuration: Int?
        public var identifier: String?
        public var key: String?
        public var bytesPerSecond: Int?
        /// The connection ends with a reset.
        public var reset: Bool?

        /// - Parameter method: A call by its name, or `*` for each.
        public init(
            _ method: String, _ action: Action, times: Int? = nil, skip: Int? = nil, bytes: Int? = nil,
            seconds: Double? = nil, after: Double? = nil, status: Int? = nil, retryAfter: String? = nil,
            early: Bool? = nil, code: String? = nil, parameter: String? = nil, message: String? = nil,
            rateLimitDuration: Int? = nil, identifier: String? = nil, key: String? = nil, bytesPerSecond: Int? = nil,
            reset: Bool? = nil
        ) {
            self.method = method
            self.action = action
            self.times = times
            self.skip = skip
            self.bytes = bytes
            self.seconds = seconds
            self.after = after
            self.status = status
            self.retryAfter = retryAfter
            self.early = early
            self.code = code
            self.parameter = parameter
            self.message = message
            self.rateLimitDuration = rateLimitDuration
            self.identifier = identifier
            self.key = key
            self.bytesPerSecond = bytesPerSecond
            self.reset = reset
        }

        enum CodingKeys: String, CodingKey {
            case method, action, times, skip, bytes, seconds, after, status, early, code, parameter, message
            case rateLimitDuration, identifier, key
            case retryAfter = "retry_after"
            case bytesPerSecond = "bytes_per_second"
            case reset = "rst"
        }
    }

    /// What it counted since its start.
    public struct Stats: Decodable, Sendable {
        public struct Used: Decodable, Hashable, Sendable {
            public let method: String
            public let action: String
        }

        /// Per method.
        public let requests: [String: Int]
        /// Per `method: ok`, or the error in words.
        public let results: [String: Int]
        /// Per `User-Agent`.
        public let agents: [String: Int]
        public let connections: Int
        /// Where the official code would have written other bytes, and the like: there should be none.
        public let warnings: [String]
        public let malformed: Int
        /// Notes.
        public let notes: Int
        /// Bytes that count against the quota.
        public let uploaded: Int
        public let bytesReceived: Int
        /// Requests at the same time, at most.
        public let peakConcurrent: Int
        public let peakConcurrentCreateNote: Int
        /// Resources that the content of their note does not show.
        public let unreferencedResources: Int
        /// GUIDs of active notes with the same title, content and resources.
        public let duplicates: [[String]]
        public let faultsUsed: [Used]
        public let faultsLeft: Int
        /// Of `commitAfter`, those still to come.
        public let commitsPending: Int

        enum CodingKeys: String, CodingKey {
            case requests, results, agents, connections, warnings, malformed, notes, uploaded, duplicates
            case bytesReceived = "bytes_received"
            case peakConcurrent = "peak_concurrent"
            case peakConcurrentCreateNote = "peak_concurrent_createNote"
            case unreferencedResources = "unreferenced_resources"
            case faultsUsed = "faults_used"
            case faultsLeft = "faults_left"
            case commitsPending = "commits_pending"
        }
    }

    /// Fields by their names in the interface; moments in milliseconds, hashes in hexadecimal digits.
    public struct Note: Decodable, Sendable {
        public struct Attributes: Decodable, Sendable {
            public let subjectDate: Int64?
            public let latitude, longitude, altitude: Double?
            public let author, source, sourceURL, sourceApplication, placeName, contentClass: String?
            public let noteTitleQuality: Int?
        }

        public struct Resource: Decodable, Sendable {
            public struct Body: Decodable, Sendable {
                public let bodyHash: String
                public let size: Int
            }

            public struct Attributes: Decodable, Sendable {
                public let timestamp: Int64?
                public let latitude, longitude, altitude: Double?
                public let sourceURL, cameraMake, cameraModel, fileName: String?
                public let attachment: Bool?
            }

            public let guid: String
            public let data: Body
            public let mime: String
            public let width, height: Int?
            public let attributes: Attributes?
        }

        public let guid, title, content, notebookGuid: String
        public let contentHash: String
        public let contentLength: Int
        public let created, updated: Int64
        public let active: Bool
        public let updateSequenceNum: Int
        public let tagGuids: [String]?
        public let resources: [Resource]?
        public let attributes: Attributes?
        /// Content in characters and resources in bytes.
        public let size: Int
    }
}
