import Foundation
import Testing

@testable import TestKit

@Suite("Commands and a server with TLS", .timeLimit(.minutes(30)))
struct EncryptedServerTests {
    /// Shell functions that make a certificate for another host, start a server with it, and stop the server.
    private static let functions = """
        certify() { openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
          -subj /CN=cloud.example.org -addext subjectAltName=DNS:cloud.example.org \
          -keyout $1-key -out $1 2> openssl.log; }
        serve() { mkfifo ready; $cloudlet serve --port 0 --tls-certificate a --tls-key a-key "$@" \
          > ready 2> log & server=$!
          { read address; read word; } < ready; rm ready; }
        finish() { kill $server; wait $server; cat log >&2; }
        certify a; certify b

        """

    @Test("With --data, commands and doctor reach the server, whatever host its certificate has")
    func folder() async throws {
        let end = try await Program.shell(
            Self.functions + """
                serve --data d --host 0.0.0.0; echo ${address%%:*}
                $cloudlet container create iCloud.org.example.app --data d > made; echo $?
                $cloudlet container list --data d | grep -o iCloud.org.example.app
                $cloudlet doctor --data d > said; grep -c 'not answer' said
                finish
                """)
        #expect(end.output == "https\n0\niCloud.org.example.app\n0\n", "\(end.errors)")
    }

    @Test("serve and doctor warn about a certificate that has expired, and doctor fails")
    func expired() async throws {
        let end = try await Program.shell(
            Self.functions + """
                openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost \
                  -keyout a-key -out request 2> openssl.log
                cat > authority << END
                [ca]
                default_ca = own
                [own]
                database = index
                serial = serial
                new_certs_dir = .
                default_md = sha256
                policy = names
                [names]
                commonName = supplied
                END
                touch index; echo 01 > serial
                openssl ca -batch -selfsign -notext -config authority -in request -keyfile a-key -out a \
                  -startdate 20200101000000Z -enddate 20200110000000Z 2> openssl.log
                serve --data d; $cloudlet doctor --data d > said; echo $?
                grep -c 'certificate expired on 2020-01-10' said; grep -c 'expired on 2020-01-10' log
                finish
                """)
        #expect(end.output == "1\n1\n1\n", "\(end.errors)")
    }

    @Test("With --data, a server with another certificate than the folder's gets no key")
    func otherCertificate() async throws {
        let end = try await Program.shell(
            Self.functions + """
                serve --data d; other=$(openssl x509 -in b -outform DER | base64 -w 0)
                sed -i 's|"certificate":"[^"]*"|"certificate":"'$other'"|' d/server.json
                $cloudlet container list --data d; echo $?
                $cloudlet doctor --data d > said; grep -c 'not answer: .*not the expected one' said
                finish
                """)
        #expect(end.output == "1\n1\n", "\(end.errors)")
        #expect(end.errors.contains("its certificate is not the expected one"), "\(end.errors)")
    }

    @Test(
        "The error for a wrong certificate file, host or scheme has the reason and the next step",
        arguments: [
            ("shell --server $address --trust-certificate none -c limits", "is missing or cannot be read"),
            (
                "container list --server $address $key --trust-certificate none",
                "the file of trusted certificates is missing or cannot be read [none]; name a PEM file"
            ),
            ("container list --server $address $key --trust-certificate a-key", "no certificate in PEM [/"),
            (
                "shell --server $address --trust-certificate a -c limits",
                "its certificate is for another host name"
            ),
            (
                "container list --server http${address#https} $key",
                "if the server uses TLS, begin its address with https"
            ),
        ])
    func mistakes(command: String, message: String) async throws {
        let end = try await Program.shell(
            Self.functions + """
                serve --data d; key='--operator-key-file d/operator.key'
                $cloudlet \(command); test $? -ne 0 && echo failed
                finish
                """)
        #expect(end.output == "failed\n", "\(end.errors)")
        #expect(end.errors.contains(message), "\(end.errors)")
        #expect(!end.errors.contains("Error"), "\(end.errors)")
    }
}
