import Testing

@testable import LullELF

struct SHA256Tests {
    /// Two examples of FIPS 180-4, and texts that fill a block or leave just too little of it for the length.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            String(repeating: "a", count: 55),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"
        ),
        (
            String(repeating: "a", count: 56),
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"
        ),
        (
            String(repeating: "a", count: 64),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"
        ),
        (
            String(repeating: "a", count: 119),
            "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"
        ),
    ])
    func `the digest is the standard's`(text: String, digest: String) {
        #expect(SHA256.hexadecimal(of: [UInt8](text.utf8)) == digest)
    }

    @Test(arguments: [1, 3, 55, 63, 64, 65, 127, 128, 200])
    func `pieces of any size make the same digest`(size: Int) {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var digest = SHA256()
        for start in stride(from: 0, to: bytes.count, by: size) {
            digest.add(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(digest.hexadecimal() == SHA256.hexadecimal(of: bytes))
    }
}
