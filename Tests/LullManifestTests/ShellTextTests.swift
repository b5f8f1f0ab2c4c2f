import Testing

@testable import LullManifest

/// The programs and files of a crontab's commands that `lull check` looks for on the machine.
struct ShellTextTests {
    /// Files with an `@` before them.
    private func needs(_ line: String) -> [String] {
        ShellText.needs(of: line).map { need in
            switch need {
            case .program(let name): name
            case .file(let path): "@" + path
            case .folder(let path): path + "/"
            }
        }
    }

    @Test(arguments: [
        ("backup --all", ["backup"]), ("/usr/bin/rsync -a", ["/usr/bin/rsync"]),
        ("  df|tail", ["df", "tail"]),
        ("a;b", ["a", "b"]), ("cd /x && y", ["y"]), ("FOO=1 bar", ["bar"]), ("2>/dev/null x", ["x"]),
        ("(x; y) | z", ["x", "y", "z"]), ("{ x; y; } > /dev/null 2>&1; z", ["x", "y", "z"]),
        ("a & b", ["a", "b"]), ("a && b", ["a", "b"]), ("a\nb # c\nd", ["a", "b", "d"]),
        ("time a | ! b", ["a"]), ("'a b' c", ["a b"]), ("\"x\" \"$y\"", ["x"]), ("a \\\n b; c", ["a", "c"]),
        ("x > /tmp/log 2>&1 < in && y", ["/tmp/", "x", "y"]), ("x &> /tmp/log; y", ["/tmp/", "x", "y"]),
        ("x >> /a/b/log; y < /c/in", ["/a/b/", "x", "@/c/in", "y"]),
        ("mkdir -p /a; x > /a/log", ["mkdir", "x"]),
        ("[ -d /a ] && x > /a/log", []), ("x > /log 2> /dev/null", ["x"]), ("x <<< /a/b", ["x"]),
        ("for f in /srv/*.log; do gzip \"$f\"; done; y", ["gzip", "y"]),
        ("x=$(date +%F); pack \"$x\" `y`", ["pack"]), ("cat <(x y) z; w", ["cat", "w"]),
        ("umask 022; export A=1; set -u; x", ["x"]), ("sleep 30; x", ["sleep", "x"]),
        ("x 2>&1 | logger -t x", ["x", "logger"]), ("exec x; y", ["x"]), ("x; exit; y", ["x"]),
        ("x || echo failed", ["x"]), ("cd /x || exit 1; y", ["y"]), ("a && b || logger c", ["a", "b"]),
    ])
    func `a program that runs for certain is named`(line: String, programs: [String]) {
        #expect(needs(line) == programs)
    }

    @Test(arguments: [
        ("nice -n 5 prog", ["nice", "prog"]), ("nice -n10 -- prog", ["nice", "prog"]),
        ("nice -19 ionice -c3 prog x", ["nice", "ionice", "prog"]),
        ("env A=b prog", ["env", "prog"]), ("env -i prog", ["env"]), ("env PATH=/x prog", ["env"]),
        ("env -S 'a b'", ["env"]), ("flock -n /run/x.lock prog", ["flock", "prog"]),
        ("flock -xn -w 5 \"$LOCK\" prog", ["flock", "prog"]),
        ("flock /run/x -c 'a | b'", ["flock", "a", "b"]),
        ("flock 9", ["flock"]), ("timeout -k 5 1h prog", ["timeout", "prog"]),
        ("timeout --signal=KILL 1h prog", ["timeout", "prog"]), ("timeout --odd 1h prog", ["timeout"]),
        ("sudo -u www-data php /srv/x.php", ["sudo", "@/srv/x.php"]), ("sudo -n /opt/x", ["sudo", "/opt/x"]),
        ("nohup setsid prog &", ["nohup", "setsid", "prog"]), ("command prog", ["prog"]),
        ("bash -c 'cd /x; prog'", ["bash", "prog"]), ("bash -lc prog", ["bash"]),
        ("bash -c \"$X\"", ["bash"]), ("/bin/sh -e /opt/x.sh", ["/bin/sh", "@/opt/x.sh"]),
        ("python3 -u /opt/x.py", ["python3", "@/opt/x.py"]), ("python3 -m x /opt/y", ["python3"]),
        ("php -f /srv/cron.php", ["php", "@/srv/cron.php"]), ("node app.js", ["node"]),
        (". /etc/x; prog; /opt/y", ["@/etc/x", "/opt/y"]),
    ])
    func `what leads to a program is followed to it`(line: String, programs: [String]) {
        #expect(needs(line) == programs)
    }

    @Test(arguments: [
        ("cd /opt/app && ./run", ["/opt/app/run"]), ("cd /opt && cd app; bin/run", ["/opt/app/bin/run"]),
        ("cd app && ./run", []), ("cd \"$X\" && ./run", []), ("./run", ["./run"]),
        ("(cd /x && ./a); ./b", ["/x/a", "./b"]), ("cd /x | y; ./b", ["y", "./b"]),
        ("cd /x || cd /y; ./b", []),
    ])
    func `a path is that of the folder the line has gone to`(line: String, programs: [String]) {
        #expect(needs(line) == programs)
    }

    @Test(arguments: [
        // Guards, as packages have them.
        "test -x /p || x", "test -x /p && /p", "[ -x p ] && p", "[ -e x ] && y || z",
        "[[ -x /p && -x /q ]] && /p",
        "if [ -x /p ]; then /p; fi; y", "[ -x /p ] || exit 0; /p", "test -x /p || { echo no; exit; }; /p",
        "command -v x > /dev/null && x", "type x && x", "! test -e /p && x",
        "[ ! -d /run/systemd/system ] && test -x /p && /p", "set -e; [ -x /p ]; /p",
        "case $X in a) x;; esac", "while read l; do x; done", "[ -x /p ] && { a; b; }",
        "{ [ -r \"$F\" ] && . \"$F\" ; x ; } || y",
        // A fallback stands in for the program.
        "x || y", "x || true", "x 2>/dev/null || :", "{ x; } || y", "a && b || c",
        // The shell's own commands, and those that can't be known.
        "$HOME/x", "\"$PROG\" y", "f() { x; }; f", "f () (x); f", "function f { x; }; f", "echo hi", "",
        "# x",
        "a*b", "~/bin/x", "kill -0 1", "{a,b} c", "PATH=/opt/x:$PATH; x", "export PATH=/x && x", "PATH=/x x",
        ". ./env; x", "source ~/.profile && x", "alias ll='ls -l'; ll", "eval x; y", "((x = 1))", "'unclosed",
        "cat <<E\nx\nE\ny", "X=(a b); x", "&&", ")", "(x", "< > |", "1 2", "`x`", "$(x) y",
    ])
    func `of what may be meant so nothing is said`(line: String) {
        #expect(needs(line) == [])
    }

    @Test(arguments: [
        ("grep -q x /etc/y && z", ["grep"]), ("pgrep x || y", []),
        ("systemctl is-active x && y", ["systemctl"]),
        ("/opt/is-primary && /opt/x", ["/opt/is-primary"]), ("mountpoint -q /mnt && /mnt/x", ["mountpoint"]),
        ("apt-get install x && x", ["apt-get"]), ("mount /mnt; /mnt/x", ["mount"]),
        ("git pull && ./x && y", ["git", "y"]), ("wget -O /tmp/x http://y && sh /tmp/x", ["wget", "sh"]),
        ("cp a /opt/x && /opt/x", ["cp"]), ("x > /tmp/y; sh /tmp/y", ["/tmp/", "x", "sh"]),
        ("rsync -a h:/srv/ /opt/app/ && /opt/app/x", ["rsync"]),
    ])
    func `what an earlier command may tell or make is left alone`(line: String, programs: [String]) {
        #expect(needs(line) == programs)
    }

    @Test func `a line that nests without end is not followed`() {
        let deep = String(repeating: "(", count: 15_000) + "x"
        #expect(needs(deep) == [])
        #expect(needs(String(repeating: "{ ", count: 7000) + "x") == [])
        #expect(needs(String(repeating: "! ", count: 7000) + "x") == ["x"])
        #expect(needs(String(repeating: "nice ", count: 3000) + "x") == ["nice"])
        #expect(needs("x " + String(repeating: "y", count: 17 << 10)) == [])
    }
}
