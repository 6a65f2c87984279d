import CXML2

/// The properties of an XMP packet (ISO 16684-1) that say when, where, which camera, and what people wrote.
struct XMPReader {
    /// Values by `prefix:name`, with the usual prefix whatever the packet's own is; a list has several.
    private var values: [String: [String]] = [:]
    /// What its values are said to be from.
    private let origin: String

    /// Packets are seldom longer than 64 KiB; one that is longer than this is not read.
    static let longest = 1 << 20

    /// - Parameter origin: `XMP`, or `sidecar` where the packet is a file beside the photo.
    /// - Returns: nil for what is no XML, has a DOCTYPE, or is too long.
    init?(_ packet: Region, origin: String = "XMP") {
        self.origin = origin
        guard let bytes = packet.bytes(limit: Self.longest), !bytes.isEmpty else { return nil }
        guard bytes.withUnsafeBytes({ read($0) }) else { return nil }
    }

    /// The first value of a property.
    subscript(name: String) -> String? { values[name]?.first { !$0.isEmpty } }

    func list(_ name: String) -> [String] { values[name, default: []].filter { !$0.isEmpty } }

    var dates: [StoredDate] {
        [
            ("exif:DateTimeOriginal", "DateTimeOriginal"), ("photoshop:DateCreated", "DateCreated"),
            ("xmp:CreateDate", "CreateDate"), ("xmp:ModifyDate", "ModifyDate"),
        ].compactMap { name, tag in
            self[name].map {
                StoredDate(source: "\(origin) \(tag)", text: $0, isLastChange: name == "xmp:ModifyDate")
            }
        }
    }

    /// `48,51.5027N`, `48,51,30.16N` or plain decimal degrees.
    var position: StoredPosition? {
        let latitude = self["exif:GPSLatitude"].map(Self.degrees)
        let longitude = self["exif:GPSLongitude"].map(Self.degrees)
        let altitude = self["exif:GPSAltitude"].flatMap(Self.fraction)
        if latitude == nil && longitude == nil && altitude == nil { return nil }
        return StoredPosition(
            source: origin + " GPS", latitude: latitude?.value, longitude: longitude?.value,
            latitudeReference: latitude?.reference, longitudeReference: longitude?.reference,
            altitude: altitude.map { self["exif:GPSAltitudeRef"] == "1" ? -$0 : $0 })
    }

    private static func degrees(_ text: String) -> (value: Double?, reference: String?) {
        let text = MetadataText.trim(text)
        let reference = text.last.flatMap { $0.isLetter ? String($0) : nil }
        let parts = text.prefix(64).filter { !$0.isLetter }.split(separator: ",").map {
            Double(MetadataText.trim(String($0)))
        }
        guard !parts.isEmpty, parts.count <= 3, !parts.contains(nil) else { return (nil, reference) }
        let value = zip(parts.compactMap(\.self), [1.0, 60.0, 3600.0]).reduce(0) { $0 + $1.0 / $1.1 }
        return (value, reference)
    }

    private static func fraction(_ text: String) -> Double? {
        let parts = text.prefix(64).split(separator: "/").map { Double(MetadataText.trim(String($0))) }
        guard let top = parts.first ?? nil else { return nil }
        if parts.count == 1 { return top }
        guard parts.count == 2, let bottom = parts[1], bottom != 0 else { return nil }
        return top / bottom
    }

    // MARK: RDF

    private static let prefixes = [
        "http://ns.adobe.com/exif/1.0/": "exif", "http://ns.adobe.com/photoshop/1.0/": "photoshop",
        "http://ns.adobe.com/xap/1.0/": "xmp", "http://ns.adobe.com/tiff/1.0/": "tiff",
        "http://purl.org/dc/elements/1.1/": "dc",
    ]

    private static let wanted: Set<String> = [
        "exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate", "xmp:ModifyDate", "exif:GPSLatitude",
        "exif:GPSLongitude", "exif:GPSAltitude", "exif:GPSAltitudeRef", "tiff:Make", "tiff:Model", "dc:description",
        "dc:subject", "xmp:Rating",
    ]

    private static func name(_ reader: xmlTextReaderPtr) -> String? {
        guard let space = xmlTextReaderConstNamespaceUri(reader), let local = xmlTextReaderConstLocalName(reader),
            let prefix = prefixes[String(cString: space)]
        else { return nil }
        let name = prefix + ":" + String(cString: local)
        return wanted.contains(name) ? name : nil
    }

    private static func isRDF(_ reader: xmlTextReaderPtr) -> Bool {
        guard let space = xmlTextReaderConstNamespaceUri(reader), let local = xmlTextReaderConstLocalName(reader) else {
            return false
        }
        return String(cString: local) == "RDF"
            && String(cString: space) == "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    }

    /// Walks the packet: a property is an attribute of a top rdf:Description or an element in it, its value the
    /// element's text or that of the rdf:li elements in it.
    private mutating func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Complaints about the encoding go past the reader's options to stderr. This handler is one for the thread.
        xmlSetStructuredErrorFunc(nil) { _, _ in }
        defer { xmlSetStructuredErrorFunc(nil, nil) }
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        // XMP inside photos is UTF-8, whatever the packet claims.
        guard let reader = xmlReaderForMemory(start, Int32(bytes.count), nil, "UTF-8", Int32(options)) else {
            return false
        }
        defer { xmlFreeTextReader(reader) }

        var property: String?
        var propertyDepth: Int32 = 0
        var top: Int32?  // the depth of rdf:RDF
        while xmlTextReaderRead(reader) == 1 {
            let depth = xmlTextReaderDepth(reader)
            switch UInt32(bitPattern: xmlTextReaderNodeType(reader)) {
            case XML_READER_TYPE_DOCUMENT_TYPE.rawValue: return false
            case XML_READER_TYPE_ELEMENT.rawValue:
                guard let top else {
                    if Self.isRDF(reader) { top = depth }
                    continue
                }
                if depth == top + 1 { readAttributes(reader) }
                if depth <= top + 2 {
                    property = depth == top + 2 ? Self.name(reader) : nil
                    propertyDepth = depth
                }
            case XML_READER_TYPE_TEXT.rawValue, XML_READER_TYPE_CDATA.rawValue:
                guard let property, depth > propertyDepth, let text = xmlTextReaderConstValue(reader),
                    values[property, default: []].count < 256
                else { continue }
                values[property, default: []].append(MetadataText.trim(String(cString: text)))
            default: continue
            }
        }
        // A packet cut short, or followed by rubbish, still says what it said.
        return top != nil
    }

    private mutating func readAttributes(_ reader: xmlTextReaderPtr) {
        while xmlTextReaderMoveToNextAttribute(reader) == 1 {
            guard let name = Self.name(reader), let text = xmlTextReaderConstValue(reader) else { continue }
            values[name, default: []].append(MetadataText.trim(String(cString: text)))
        }
        xmlTextReaderMoveToElement(reader)
    }
}
