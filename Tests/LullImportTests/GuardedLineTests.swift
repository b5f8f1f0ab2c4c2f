import Testing

@testable import LullImport

/// Lines of Debian's packages, and lines that people write.
struct GuardedLineTests {
    @Test(arguments: [
        (
            "command -v debian-sa1 > /dev/null && debian-sa1 1 1",
            "if command -v debian-sa1 > /dev/null; then debian-sa1 1 1; fi"
        ),
        (
            "if test -x /p; then /p; fi", nil
        ),
        (
            #"test -x /usr/bin/certbot -a \! -d /run/systemd/system && perl -e 'sleep int(rand(43200))' && certbot -q renew"#,
            #"if test -x /usr/bin/certbot -a \! -d /run/systemd/system; then perl -e 'sleep int(rand(43200))' && certbot -q renew; fi"#
        ),
        (
            "[ $(date +%w) -eq 0 ] && [ -x /usr/lib/zfs-linux/scrub ] && /usr/lib/zfs-linux/scrub",
            "if [ $(date +%w) -eq 0 ] && [ -x /usr/lib/zfs-linux/scrub ]; then /usr/lib/zfs-linux/scrub; fi"
        ),
        (
            "! test -e /run/off && /opt/job >/dev/null 2>&1 | logger",
            "if ! test -e /run/off; then /opt/job >/dev/null 2>&1 | logger; fi"
        ),
        (
            "[ -x /usr/lib/php/sessionclean ] && if [ ! -d /run/systemd/system ]; then /usr/lib/php/sessionclean; fi",
            "if [ -x /usr/lib/php/sessionclean ]; then if [ ! -d /run/systemd/system ]; then /usr/lib/php/sessionclean; fi; fi"
        ),
        (
            "[ -d /q ] && for f in /q/*; do p $f; done >/dev/null",
            "if [ -d /q ]; then for f in /q/*; do p $f; done >/dev/null; fi"
        ),
        ("[ -d /q ] && [ -x /p ] && { cd /q; /p; }", "if [ -d /q ] && [ -x /p ]; then { cd /q; /p; }; fi"),
        ("[ -x /p ] && if a; then b; fi; /c", nil), ("[ -x /p ] && if a; then b; fi || /c", nil),
        ("[ -x /p ] && if a; then b", nil), ("[ -x /p ] && { a; fi", nil), ("[ -x /p ] && { a; } &", nil),
        ("test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; }", nil),
        ("test -x /a && /a; /b", nil), ("test -x /a && /a &", nil), ("test -x /a && /a || /b", nil),
        ("cd /srv && ./feed", nil), ("restic backup && restic prune", nil), ("test -x /a", nil),
        ("test -x /a && ", nil), ("test -x 'a && b", nil), ("test -x /a && /a # && b", nil), ("", nil),
    ])
    func `a line that asks first is written with if, and no other`(line: String, expected: String?) {
        #expect(GuardedLine.withIf(line) == expected)
    }
}
