extension FuzzTarget {
    /// What to start from: small, and with a bit of everything. libFuzzer drops what is not of the target's kind.
    var seeds: [[UInt8]] {
        switch self {
        case .jpeg, .png, .webp, .heif, .tiff, .jxl, .gif, .movie, .crw, .cr3, .raf, .window, .strip:
            MadePhotos.ofEachKind
        case .exif: MadePhotos.ofEachKind.filter { [0x49, 0x4d].contains($0.first) }
        case .xmp: [Sample.xmp]
        case .gpx: [Sample.gpx, Sample.oldGPX]
        case .takeout: [Sample.takeout]
        case .name:
            [
                "PXL_20240501_081112345.jpg", "Screenshot 2024-05-01 at 1.11.12 PM.png", "IMG-20240501-WA0001.jpg",
                "2024-05-01_10-11-12_UTC.jpg", "截圖 2024-05-01 下午1.11.12.png",
            ].map(MadePhotos.bytes)
        case .caption:
            ["Rain on the pass\r\nand tea", "\u{feff}Über den Paß"].map { MadePhotos.bytes($0) } + [Sample.utf16]
        case .enex: [Sample.enex]
        case .enml: [Sample.enml, Sample.standalone]
        case .reply, .http: Sample.replies
        case .thrift: FuzzCall.seeds
        }
    }
}

private enum Sample {
    static let xmp = MadePhotos.bytes(
        MadePhotos.xmp(
            #"""
            exif:GPSLatitude="33,51.59S" exif:GPSLongitude="151,12,30E" exif:GPSAltitude="1234/10" exif:GPSAltitudeRef="1"
            exif:DateTimeOriginal="2018-03-04T05:06:07.25+09:00" photoshop:DateCreated="2018-03-04" xmp:Rating="4"
            """#,
            """
            <dc:subject><rdf:Bag><rdf:li>sea</rdf:li></rdf:Bag></dc:subject>
            <dc:description><rdf:Alt><rdf:li xml:lang="x-default">A &amp; B</rdf:li></rdf:Alt></dc:description>
            <xmp:CreateDate>2018-03-04T05:06</xmp:CreateDate>
            """))

    static let gpx = MadePhotos.bytes(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>a</name><trkseg>
        <trkpt lat="35.2" lon="179.9"><ele>723.5</ele><time>2024-05-01T01:00:00Z</time></trkpt>
        <trkpt lat="-35.3" lon="-179.8"><ele>-1</ele><time>2024-05-01T01:05:00.250+09:00</time></trkpt>
        </trkseg></trk></gpx>
        """)

    static let oldGPX = MadePhotos.bytes(
        """
        <gpx version="1.0"><trk><trkseg><trkpt lat="1e1" lon="2"><time>2024-05-01T01:00:00</time></trkpt>
        <trkpt lat="10" lon="2"><ele><![CDATA[5]]></ele><time>2024-05-01T00:59:00Z</time></trkpt></trkseg>
        """)

    static let takeout = MadePhotos.bytes(
        """
        {"title": "IMG_1.jpg", "description": "Fuji \\u00e9", "photoTakenTime": {"timestamp": "1714521600",
        "formatted": "x"}, "geoData": {"latitude": 35.1, "longitude": 139.2, "altitude": 12.5},
        "geoDataExif": {"latitude": 0.0, "longitude": 0, "altitude": null}}
        """)

    static let utf16: [UInt8] = [0xff, 0xfe, 0x41, 0, 0x0d, 0, 0x0a, 0, 0x3d, 0xd8, 0, 0xde]

    static let enex = MadePhotos.bytes(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export3.dtd">
        <en-export export-date="20240501T010203Z" application="Evernote" version="10"><note><title>A &amp; B</title>
        <content><![CDATA[<?xml version="1.0"?><!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">
        <en-note>x<en-media type="image/jpeg" hash="0cc175b9c0f1b6a831c399e269772661"/></en-note>]]></content>
        <created>20240501T010203Z</created><updated>20240501T010204Z</updated><tag>t</tag>
        <note-attributes><latitude>35.1</latitude><longitude>139.2</longitude><author>n</author>
        <source-url>http://a.example/</source-url></note-attributes>
        <resource><data encoding="base64">YQ==</data><mime>image/jpeg</mime><width>96</width><height>64</height>
        <resource-attributes><file-name>a.jpg</file-name><timestamp>20240501T010203Z</timestamp></resource-attributes>
        </resource></note></en-export>
        """)

    static let enml = MadePhotos.bytes(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">
        <en-note style="color:red"><div align="left">a &nbsp;&#x1F600;<br clear="all"/><b>c</b></div>
        <table border="1"><tr><td colspan="2">x</td></tr></table><ul><li>y</li></ul><en-todo checked="true"/>
        <a href="https://a.example/?x=1&amp;y=2" title="&eacute;">l</a><en-crypt hint="h">QQ==</en-crypt>
        <en-media type="image/jpeg" hash="0cc175b9c0f1b6a831c399e269772661" width="9"/><![CDATA[z]]><!-- c --></en-note>
        """)

    static let standalone = MadePhotos.bytes(
        """
        <?xml version='1.0' standalone='yes'?><!DOCTYPE en-note SYSTEM 'http://xml.evernote.com/pub/enml2.dtd'>
        <en-note><pre xml:space="preserve">&lt;</pre></en-note>
        """)

    static let replies = [
        "HTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nbody",
        "HTTP/1.1 503 Busy\r\nRetry-After: Fri, 31 Dec 2027 23:59:59 GMT\r\n\r\n",
        "HTTP/2 429\nretry-after: Friday, 31-Dec-27 23:59:59 GMT\n\nbody",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n4\r\nbody\r\n0\r\nX: y\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 20\r\nConnection: close\r\n\r\n",
        "HTTP/1.0 301 Moved\r\nRetry-After: Fri Dec 31 23:59:59 2027\r\nContent-Type:\r\n\r\n",
    ].map { MadePhotos.bytes($0) }
}
