import HTTP
import System
import Thrift

/// One of the service's two stores, called over one transport: a request, its reply, then the next.
final class Callee {
    let address: WebAddress
    let transport: any Transport
    let token: AccessToken
    /// Told of each call that came to nothing.
    let failed: (EDAMError) -> Void
    private var sequence: Int32 = 0

    init(
        at address: WebAddress, over transport: any Transport, token: AccessToken,
        failed: @escaping (EDAMError) -> Void = { _ in }
    ) {
        self.address = address
        self.transport = transport
        self.token = token
        self.failed = failed
    }

    /// Calls a function that the token is the first argument of, as it is of nearly all.
    func call<Value: ThriftValue, each Argument: ThriftValue>(
        _ name: String, _ arguments: repeat each Argument, refusals: [Refusal] = [.user, .system, .notFound],
        replyLimit: Int = ReplyLimit.usual, advance: (Int64) -> Void = { _ in }
    ) throws -> Value {
        try callWithoutToken(
            name, token.secret, repeat each arguments, refusals: refusals, replyLimit: replyLimit, advance: advance)
    }

    /// - Parameters:
    ///   - arguments: In the order of their fields, which are numbered from 1.
    ///   - refusals: The exceptions that the call declares, in the order of their fields, which are numbered from 1.
    ///   - replyLimit: Bytes.
    ///   - advance: Told how many bytes of the request have gone since it was last told.
    /// - Throws: `EDAMError`; `Interrupted` where the request had not gone as a whole, so that nothing was done.
    func callWithoutToken<Value: ThriftValue, each Argument: ThriftValue>(
        _ name: String, _ arguments: repeat each Argument, refusals: [Refusal] = [],
        replyLimit: Int = ReplyLimit.usual, advance: (Int64) -> Void = { _ in }
    ) throws -> Value {
        sequence &+= 1
        let body: Body
        do throws(ThriftError) {
            var writer = try BinaryWriter(call: name, sequence: sequence)
            var number: Int16 = 0
            for argument in repeat each arguments {
                number += 1
                try writer.field(number, argument)
            }
            writer.stop()
            body = writer.body
        } catch {
            throw EDAMError.tooLong
        }
        do {
            return try value(of: name, answering: body, refusals, replyLimit, advance)
        } catch let error as EDAMError {
            failed(error)
            throw error
        }
    }

    private func value<Value: ThriftValue>(
        of name: String, answering body: Body, _ refusals: [Refusal], _ replyLimit: Int, _ advance: (Int64) -> Void
    ) throws -> Value {
        let reply = try send(body, replyLimit, advance)
        guard reply.status == 200 else { throw EDAMError.status(reply.status, retryAfter: reply.retryAfter) }
        do {
            return try result(of: name, in: BinaryReader(reply.body), refusals)
        } catch let error as EDAMError {
            throw error.hiding(token.secret)
        } catch ThriftError.application(let answer) {
            throw EDAMError.application(answer).hiding(token.secret)
        } catch let error as ThriftError {
            throw EDAMError.protocolBroken(error)
        }
    }

    private func send(_ body: Body, _ replyLimit: Int, _ advance: (Int64) -> Void) throws -> Reply {
        let headers = [
            (name: "Content-Type", value: "application/x-thrift"), (name: "Accept", value: "application/x-thrift"),
        ]
        let request = Request(address, headers: headers, body: body, replyLimit: replyLimit)
        var left = body.count
        do {
            return try transport.send(request) { count in
                left -= count
                advance(count)
            }
        } catch let error as HTTPError {
            throw EDAMError.http(error)
        } catch is Interrupted where left <= 0 {
            throw EDAMError.interrupted
        }
    }

    private func result<Value: ThriftValue>(
        of name: String, in reader: consuming BinaryReader, _ refusals: [Refusal]
    ) throws -> Value {
        try reader.reply(to: name, sequence: sequence)
        var value: Value?
        while let (number, type) = try reader.fieldHeader() {
            let refusal = Int(number) - 1
            if number == 0, type == Value.thriftType {
                value = try Value(from: &reader)
            } else if refusals.indices.contains(refusal), type == .structure {
                throw try refusals[refusal].read(from: &reader)
            } else {
                try reader.skip(type)
            }
        }
        guard let value else { throw ThriftError.missing("success") }
        return value
    }
}

/// Bytes that a reply may have.
enum ReplyLimit {
    static let usual = 16 << 20
    /// 5,242,880 characters of ENML, of up to four bytes, and what is about them.
    static let content = 32 << 20
    /// The 209,715,200 bytes that a resource may have at most, and what is about them.
    static let resource = 210 << 20
}
