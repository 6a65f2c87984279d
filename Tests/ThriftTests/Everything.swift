import Thrift

/// A struct with a field of each type that has a value in Swift.
struct Everything: ThriftStruct, Hashable {
    var yes: Bool?
    var no: Bool?
    var short: Int16?
    var number: Int32?
    var long: Int64?
    var double: Double?
    var text: String?
    var binary: Binary?
    var texts: [String]?
    var inner: [Inner]?
    var longs: [Int64]?
    var others: [Everything]?

    static let fields: [Field<Everything>] = [
        Field(1, \.yes), Field(2, \.no), Field(3, \.short), Field(4, \.number), Field(5, \.long), Field(6, \.double),
        Field(7, \.text), Field(8, \.binary), Field(9, \.texts), Field(10, \.inner), Field(300, \.longs),
        Field(301, \.others),
    ]

    struct Inner: ThriftStruct, Hashable {
        var flag: Bool?

        static let fields: [Field<Inner>] = [Field(1, \.flag)]
    }

    static let filled: Everything = {
        var all = Everything()
        all.yes = true
        all.no = false
        all.short = .min
        all.number = .min
        all.long = .max
        all.double = -1.5e-300
        all.text = "é日🗻"
        all.binary = Binary([0, 0xff, 0x80])
        all.texts = ["", "x"]
        var inner = Inner()
        inner.flag = true
        all.inner = [inner, Inner()]
        all.longs = [-1]
        return all
    }()

    /// The call `all` with number -2 and the above as its first argument, written by Apache Thrift for Python 0.25.0.
    static let filledByThrift = """
        8001000100000003616c6cfffffffe0c000102000101020002000600038000080004800000000a00057fffffffffffffff04\
        000681b01297d23ab6830b000700000009c3a9e697a5f09f97bb0b00080000000300ff800f00090b00000002000000000000\
        0001780f000a0c000000020200010100000f012c0a00000001ffffffffffffffff0000
        """

    /// A struct with fields 100 to 112 of every type that the protocol has, 4 (an i32, 42), and 3, a text where this one
    /// has a number. Written by Apache Thrift for Python 0.25.0.
    static let unknownByThrift = """
        02006401030065ff0400663ff00000000000000600670001080068000000010a006900000000000000010b006a00000001ff\
        0c006b0b00010000000178000d006c0b0f0000000200000001610c00000001080001000000070000000001620c0000000108\
        000100000007000e006d08000000030000000000000001000000020f006e0d00000001030200000001010110006f00000000\
        0000000000000000000000050d00700b0b000000000800040000002a0b00030000000f6f6620616e6f746865722074797065\
        00
        """
}
