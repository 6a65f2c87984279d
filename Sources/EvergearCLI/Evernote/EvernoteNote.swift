import EDAM
import Notes
import Storage
import Thrift

// A frozen note in the form in which Evernote takes it.

extension EDAM.Note {
    /// Everything but the content and the resources, which may go in steps.
    /// - Parameter notebook: A GUID; nil: the default notebook.
    init(_ note: Notes.Note, notebook: String?) {
        self.init()
        title = note.title
        created = note.created
        updated = note.updated
        notebookGuid = notebook
        tagNames = note.tags.isEmpty ? nil : note.tags
        attributes = EDAM.NoteAttributes(note.attributes)
    }
}

extension EDAM.NoteAttributes {
    init(_ attributes: Notes.NoteAttributes) {
        self.init()
        subjectDate = attributes.subjectDate.map { Timestamp(milliseconds: $0) }
        latitude = attributes.latitude
        longitude = attributes.longitude
        altitude = attributes.altitude
        placeName = AttributeText.valid(attributes.placeName)
        source = attributes.sourceApplication
        sourceURL = attributes.sourceURL
        sourceApplication = attributes.sourceApplication
        noteTitleQuality = attributes.titleQuality.map { Int32($0) }
    }
}

extension EDAM.Resource {
    /// - Parameter blobs: Where its bytes are read from while they are sent.
    init(_ resource: Notes.Resource, from blobs: BlobStore) {
        self.init()
        var data = EDAM.Data()
        data.bodyHash = resource.blob.md5
        data.size = Int32(exactly: resource.blob.size)
        data.body = .file(blobs.path(of: resource.blob), count: resource.blob.size)
        self.data = data
        describe(resource)
    }

    /// One that the service has already.
    init(there guid: String, _ resource: Notes.Resource) {
        self.init()
        self.guid = guid
        var data = EDAM.Data()
        data.bodyHash = resource.blob.md5
        data.size = Int32(exactly: resource.blob.size)
        self.data = data
        describe(resource)
    }

    /// All but its bytes: said each time, since a list of resources takes the place of the one before.
    private mutating func describe(_ resource: Notes.Resource) {
        mime = resource.mime
        // The protocol has 16 bits with a sign for each side: what does not fit is left out, and both with it.
        if let pixels = resource.pixels, let width = Int16(exactly: pixels.width),
            let height = Int16(exactly: pixels.height)
        {
            self.width = width
            self.height = height
        }
        attributes = EDAM.ResourceAttributes(resource.attributes)
    }
}

extension EDAM.ResourceAttributes {
    init(_ attributes: Notes.ResourceAttributes) {
        self.init()
        timestamp = attributes.timestamp.map { Timestamp(milliseconds: $0) }
        latitude = attributes.latitude
        longitude = attributes.longitude
        altitude = attributes.altitude
        cameraMake = AttributeText.valid(attributes.cameraMake)
        cameraModel = AttributeText.valid(attributes.cameraModel)
        fileName = attributes.fileName
    }
}
