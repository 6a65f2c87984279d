/// What ENML allows: its elements, their attributes and what may be in them.
///
/// The facts are those of Evernote's document type, `http://xml.evernote.com/pub/enml2.dtd`, in a form of our own.
enum ENMLRules {
    /// The address by which a note names its document type.
    static let documentType = "http://xml.evernote.com/pub/enml2.dtd"

    /// The outermost element, which is in no other one.
    static let root = "en-note"

    /// What may be in an element.
    enum Content: Hashable, Sendable {
        /// Text and every element but the root.
        case anything
        /// Text, comments and instructions.
        case text
        /// Not even a space.
        case nothing
    }

    /// What an attribute may be.
    enum Value: Hashable, Sendable {
        case any
        case required
        /// Any value; a parser that reads the document type adds the attribute where it is missing.
        case defaulted
        /// One of these, with spaces around it or not; added where it is missing.
        case oneOf([String])
        /// Exactly this; added where it is missing.
        case exactly(String)
    }

    struct Element: Hashable, Sendable {
        var content: Content
        var attributes: [String: Value]
    }

    /// Every element by its name.
    static let elements: [String: Element] = {
        var elements: [String: Element] = [:]
        for (names, attributes) in table {
            for name in words(names) {
                elements[name] = Element(
                    content: .anything,
                    attributes: attributes.reduce(into: [:]) { all, names in
                        for attribute in words(names) { all[attribute] = .any }
                    })
            }
        }
        elements[root]?.attributes["xmlns"] = .exactly(documentType)
        elements["pre"]?.attributes["xml:space"] = .oneOf(["preserve"])
        elements["en-media"]?.content = .nothing
        elements["en-media"]?.attributes["type"] = .required
        elements["en-media"]?.attributes["hash"] = .required
        elements["en-todo"] = Element(content: .nothing, attributes: ["checked": .oneOf(["true", "false"])])
        elements["en-crypt"] = Element(
            content: .text, attributes: ["hint": .any, "cipher": .defaulted, "length": .defaulted])
        return elements
    }()

    /// Elements that have the same attributes, and those attributes.
    private static let table: [(names: String, attributes: [String])] = [
        (
            """
            abbr acronym address b big center cite code dd dfn dt em i kbd s samp small span strike strong sub sup tt \
            u var bdo
            """, [common]
        ),
        ("en-note", [common, "bgcolor text xmlns"]),
        ("en-media", [common, "type hash", picture]),
        ("a", [common, focus, "charset type name href hreflang rel rev shape coords target"]),
        ("area", [common, focus, "shape coords href nohref alt target"]),
        ("blockquote q", [common, "cite"]),
        ("br", ["style title clear"]),
        ("caption div h1 h2 h3 h4 h5 h6 p", [common, "align"]),
        ("col colgroup", [common, cells, "span width"]),
        ("del ins", [common, "cite datetime"]),
        ("dl", [common, "compact"]),
        ("font", [common, "size color face"]),
        ("hr", [common, "align noshade size width"]),
        ("img", [common, "src name ismap", picture]),
        ("li", [common, "type value"]),
        ("map", ["title lang xml:lang dir name"]),
        ("ol", [common, "type compact start"]),
        ("pre", [common, "width xml:space"]),
        ("table", [common, "summary width border cellspacing cellpadding align bgcolor"]),
        ("tbody tfoot thead", [common, cells]),
        ("td th", [common, cells, "abbr rowspan colspan nowrap bgcolor width height"]),
        ("tr", [common, cells, "bgcolor"]),
        ("ul", [common, "type compact"]),
    ]

    private static let common = "style title lang xml:lang dir"
    private static let focus = "accesskey tabindex"
    private static let cells = "align char charoff valign"
    private static let picture = "alt longdesc height width usemap align border hspace vspace"

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    // MARK: Named characters

    /// The characters that HTML 4 gives names to, beside the five that XML itself knows (`amp lt gt quot apos`).
    static let namedCharacters: [String: Unicode.Scalar] = {
        var characters: [String: Unicode.Scalar] = [:]
        var next: UInt32 = 0
        for word in words(names) {
            if word.first?.isNumber == true {
                next = UInt32(word, radix: 16) ?? 0
            } else {
                characters[word] = Unicode.Scalar(next)
                next += 1
            }
        }
        return characters
    }()

    /// Names in the order of their characters; a hexadecimal number (its first digit is none of a to f)
    /// says where a run begins.
    private static let names = """
        0a0 nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig \
        Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times \
        Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave \
        eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave \
        uacute ucirc uuml yacute thorn yuml 152 OElig oelig 160 Scaron scaron 178 Yuml 192 fnof 2c6 circ 2dc tilde 391 \
        Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho 3a3 Sigma Tau Upsilon \
        Phi Chi Psi Omega 3b1 alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho \
        sigmaf sigma tau upsilon phi chi psi omega 3d1 thetasym upsih 3d6 piv 2002 ensp emsp 2009 thinsp 200c zwnj zwj \
        lrm rlm 2013 ndash mdash 2018 lsquo rsquo sbquo 201c ldquo rdquo bdquo 2020 dagger Dagger bull 2026 hellip 2030 \
        permil 2032 prime Prime 2039 lsaquo rsaquo 203e oline 2044 frasl 20ac euro 2111 image 2118 weierp 211c real \
        2122 trade 2135 alefsym 2190 larr uarr rarr darr harr 21b5 crarr 21d0 lArr uArr rArr dArr hArr 2200 forall 2202 \
        part exist 2205 empty 2207 nabla isin notin 220b ni 220f prod 2211 sum minus 2217 lowast 221a radic 221d prop \
        infin 2220 ang 2227 and or cap cup int 2234 there4 223c sim 2245 cong 2248 asymp 2260 ne equiv 2264 le ge 2282 \
        sub sup nsub 2286 sube supe 2295 oplus 2297 otimes 22a5 perp 22c5 sdot 2308 lceil rceil lfloor rfloor 2329 lang \
        rang 25ca loz 2660 spades 2663 clubs 2665 hearts diams
        """

    /// The same as declarations, in one line, to stand in a document type of our own making.
    static let characterDeclarations: String =
        " ["
        + namedCharacters.sorted { $0.value < $1.value }.map { "<!ENTITY \($0.key) \"&#\($0.value.value);\">" }.joined()
        + "]"
}
