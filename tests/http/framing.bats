#!/usr/bin/env bats
# A message that two readers could take for two different ones is refused with 400 bad_framing and a
# closed connection, byte stream by byte stream; good ones around it are answered.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
    start_daemon
    bake_mesh yard square.obj
}

# Each test: alive, and none of the refused connections is left.
teardown() {
    ask /healthz
    is "$STATUS" 200
}

HEAD='Host: localhost\r\n'
POST="POST /v1/meshes/yard/path HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n"
BODY_42='{"start":[2,0,2],"end":[18,0,18],"version":1}'

# The bytes are refused: with this code, as JSON, and the connection ends by itself.
refused() { # bytes [status code]
    local status=${2:-400} code=${3:-bad_framing}
    local answer
    answer=$(raw_answer "$1")
    [[ $answer == "HTTP/1.1 $status "* ]] || {
        printf 'sent: %s\ngot: %s\n' "$1" "$answer"
        return 1
    }
    [[ $answer == *"Connection: close"* ]]
    [[ $answer == *'application/problem+json'* ]]
    is "$(sed '1,/^$/d' <<<"$answer" | jq -r .code)" "$code"
}

# The bytes are good: that many replies of 200 come, and nothing else.
answered() { # bytes count
    local answer
    answer=$(raw_answer "$1")
    is "$(grep -o 'HTTP/1.1 [0-9]*' <<<"$answer" | sort | uniq -c | tr -s ' ')" " $2 HTTP/1.1 200"
}

@test "what is good: pipelined requests, chunks, trailers, no body, an empty line before" {
    answered "GET /healthz HTTP/1.1\r\n${HEAD}\r\nGET /healthz HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n" 2
    answered "\r\nGET /healthz HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n" 1
    answered "GET /healthz HTTP/1.0\r\n\r\n" 1
    answered "${POST}Content-Length: 45\r\nConnection: close\r\n\r\n$BODY_42" 1
    answered "${POST}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\n{\"sta\r\n28\r\n${BODY_42:5}\r\n0\r\n\r\n" 1
    answered "${POST}Transfer-Encoding: Chunked\r\nConnection: close\r\n\r\n2d\r\n$BODY_42\r\n0\r\nA: b\r\n\r\n" 1
    answered "${POST}Content-Length: 45\r\n\r\n${BODY_42}GET /healthz HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n" 2
}

@test "two readings of a body's length" {
    refused "${POST}Content-Length: 45\r\nTransfer-Encoding: chunked\r\n\r\n$BODY_42"
    refused "${POST}Transfer-Encoding: chunked\r\nContent-Length: 45\r\n\r\n0\r\n\r\n"
    refused "${POST}Content-Length: 45\r\nContent-Length: 45\r\n\r\n$BODY_42"
    refused "${POST}Content-Length: 45\r\ncontent-length: 6\r\n\r\n$BODY_42"
    refused "${POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    refused "${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"
    refused "${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"
    refused "${POST}Transfer-Encoding: identity\r\n\r\n"
    refused "${POST}Transfer-Encoding:\r\n\r\n"
    refused "${POST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"
    refused "POST /healthz HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    for length in '4, 4' +4 -4 0x4 4e1 '' 99999999999999999999 '4 4'; do
        refused "${POST}Content-Length: $length\r\n\r\n$BODY_42"
    done
}

@test "chunks of a size that is none" {
    for size in x -1 +1 ' 1' '1 ' 0x1 '' ffffffffffffffffff; do
        refused "${POST}Transfer-Encoding: chunked\r\n\r\n$size\r\na\r\n0\r\n\r\n"
    done
    refused "${POST}Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n"
    refused "${POST}Transfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n"
    refused "${POST}Transfer-Encoding: chunked\r\n\r\n1;\na\r\n0\r\n\r\n"
}

@test "doubled headers that must be single" {
    refused "GET /healthz HTTP/1.1\r\n${HEAD}Host: localhost\r\n\r\n"
    refused "GET /healthz HTTP/1.1\r\n${HEAD}hOST: other\r\n\r\n"
    refused "${POST}Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}"
}

@test "no host, or not one host" {
    refused "GET /healthz HTTP/1.1\r\n\r\n"
    refused "GET /healthz HTTP/1.1\r\nHost: localhost, other\r\n\r\n"
    refused "GET /healthz HTTP/1.1\r\nHost: local host\r\n\r\n"
    refused "GET /healthz HTTP/1.1\r\nHost: a@localhost\r\n\r\n"
}

@test "line feeds without carriage returns, and the other way round" {
    refused "GET /healthz HTTP/1.1\n${HEAD}\r\n"
    refused "GET /healthz HTTP/1.1\r\nHost: localhost\n\r\n"
    refused "GET /healthz HTTP/1.1\r\n${HEAD}\n"
    refused "GET /healthz HTTP/1.1\r\nHost: localhost\n\n"
    refused "GET /healthz HTTP/1.1\r\n${HEAD}A: b\rC: d\r\n\r\n"
    refused "\nGET /healthz HTTP/1.1\r\n${HEAD}\r\n"
}

@test "zero bytes and control characters, wherever they stand" {
    refused "GET /heal\0thz HTTP/1.1\r\n${HEAD}\r\n"
    refused "GET /healthz HTTP/1.1\r\nHost: local\0host\r\n\r\n"
    refused "GET /healthz HTTP/1.1\r\n${HEAD}A\0B: c\r\n\r\n"
    refused "GET /healthz HTTP/1.1\r\n${HEAD}A: b\0c\r\n\r\n"
    refused "GET /healthz HTTP/1.1\r\n${HEAD}A: b\001c\r\n\r\n"
    refused "GET /healthz HTTP/1.1\r\n${HEAD}A: b\177\r\n\r\n"
    refused "GET /healthz HTTP/1.1\r\n${HEAD}A\001: b\r\n\r\n"
}

@test "folded lines, blanks before colons, lines without one" {
    refused "GET /healthz HTTP/1.1\r\n${HEAD}A: b\r\n c\r\n\r\n"
    refused "GET /healthz HTTP/1.1\r\n ${HEAD}\r\n"
    refused "GET /healthz HTTP/1.1\r\nHost : localhost\r\n\r\n"
    refused "GET /healthz HTTP/1.1\r\n${HEAD}: b\r\n\r\n"
    refused "GET /healthz HTTP/1.1\r\n${HEAD}A b\r\n\r\n"
}

@test "request lines that are none" {
    refused "GET /healthz\r\n${HEAD}\r\n"
    refused "GET  /healthz HTTP/1.1\r\n${HEAD}\r\n"
    refused "GET /healthz  HTTP/1.1\r\n${HEAD}\r\n"
    refused "GET /healthz HTTP/1.1 \r\n${HEAD}\r\n"
    refused "GET /healthz http/1.1\r\n${HEAD}\r\n"
    refused "GET /\303\251 HTTP/1.1\r\n${HEAD}\r\n"
    refused " GET /healthz HTTP/1.1\r\n${HEAD}\r\n"
    refused "\026\003\001\002\000\001\000\001\374\003\003"
    refused "GET /healthz HTTP/9.9\r\n${HEAD}\r\n" 505 http_version
    refused "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" 505 http_version
}

@test "too long an address, too many and too large headers, too many arguments" {
    local long many='' args='' i
    long=$(printf 'x%.0s' {1..8200})
    refused "GET /$long HTTP/1.1\r\n${HEAD}\r\n" 414 uri_too_long
    refused "GET /healthz HTTP/1.1\r\n${HEAD}A: $long\r\nB: $long\r\n\r\n" 431 headers_too_large
    for ((i = 0; i < 101; i++)); do
        many+="A$i: b\r\n"
        args+="&a$i=b&c"
    done
    refused "GET /healthz HTTP/1.1\r\n${HEAD}$many\r\n" 431 headers_too_large
    refused "GET /healthz?a$args HTTP/1.1\r\n${HEAD}\r\n" 400 bad_request
}

@test "a fault in a later request: those before are answered, nothing after it is" {
    local good="GET /healthz HTTP/1.1\r\n${HEAD}\r\n"
    run raw_answer "$good${good}GET /v1/status HTTP/1.1\r\n${HEAD}A: b\nC: d\r\n\r\n$good"
    is "$(grep -o 'HTTP/1.1 [0-9]*' <<<"$output" | tr '\n' ' ')" 'HTTP/1.1 200 HTTP/1.1 200 HTTP/1.1 400 '
}

@test "a request hidden in the body of another is not answered" {
    local hidden="DELETE /v1/meshes/yard HTTP/1.1\r\n${HEAD}\r\n"
    run raw_answer "${POST}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n$hidden"
    is "$(grep -c '^HTTP/1.1' <<<"$output")" 1
    run raw_answer "${POST}Content-Length: 52\r\nConnection: close\r\n\r\n$hidden"
    is "$(grep -c 'HTTP/1.1' <<<"$output")" 1
    ask /v1/meshes/yard
    is "$STATUS" 200
}

@test "requests that arrive in pieces are judged the same" {
    local host=${ADDRESS%:*} port=${ADDRESS##*:} answer
    pieces() {
        exec 9<>"/dev/tcp/$host/$port"
        for piece in "$@"; do
            # shellcheck disable=SC2059 # the bytes are the format
            printf "$piece" >&9
            sleep 0.05
        done
        timeout 10 cat <&9 | tr -d '\r'
    }
    answer=$(pieces 'GE' 'T /hea' 'lthz HT' 'TP/1.1\r' '\nHost: local' 'host\r\nConnection: clo' 'se\r\n\r' '\n' 3>&-)
    [[ $answer == 'HTTP/1.1 200 '* ]]
    answer=$(pieces 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nA: b\r\n' ' c\r\n\r\n' 3>&-)
    [[ $answer == 'HTTP/1.1 400 '* ]]
    answer=$(pieces "${POST}Content-Length: 45\r\n\r\n${BODY_42}" "GET /healthz HTTP/1.1\r\n" "Host: a\r\nHost: b\r\n\r\n" 3>&-)
    is "$(grep -o 'HTTP/1.1 [0-9]*' <<<"$answer" | tr '\n' ' ')" 'HTTP/1.1 200 HTTP/1.1 400 '
}
