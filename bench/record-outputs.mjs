// Records what usual commands print, for the family of small output: `node bench/record-outputs.mjs` writes bench/recorded-outputs.json.
// Commands run in a fresh clone of this repository and in a small folder with Python, Go, Rust, C and data. Names of users and folders are replaced.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

const repository = fileURLToPath(new URL('..', import.meta.url))
const file = fileURLToPath(new URL('./recorded-outputs.json', import.meta.url))
/** Longer output is cut, which the other families measure. */
const maxLength = 4000

const inRepository = [
  ...[
    'git status',
    'git log --oneline -15',
    'git log -3 --stat',
    'git show --stat HEAD',
    'git diff --stat HEAD~3',
    'git branch -a',
  ],
  ...['git diff --name-only HEAD~5', 'git diff --name-status HEAD~2', 'git remote -v', 'git stash list', 'git tag | tail -5'],
  ...['git rev-parse HEAD', 'git ls-files packages/core/src/cut', 'git shortlog -s HEAD~20..HEAD', 'git blame -L 1,8 README.md'],
  ...[
    'ls',
    'ls -la',
    'ls -l packages/core/src/cut',
    'ls -R packages/core/src/cut/notable',
    'ls packages/core/src',
    'du -sh packages/*',
  ],
  ...[
    'find packages/core/src/text -name "*.ts"',
    'find . -name "*.json" -not -path "./node_modules/*"',
    'find bench -name "gateway*"',
  ],
  ...['wc -l packages/core/src/*.ts', 'wc -l README.md', 'stat -c "%n %s" package.json', 'file README.md package.json', 'pwd'],
  ...[
    'grep -rn "maxLineLength" packages/core/src/cut',
    'grep -rn "export function" packages/core/src/text',
    'grep -rln "resultPolicy" packages',
  ],
  ...[
    'grep -n "describe(" packages/core/src/cut/*.test.ts',
    'grep -rn "TODO" packages/core/src',
    'grep -c "it(" packages/core/src/cut/*.test.ts',
  ],
  ...[
    'grep -n "export" packages/core/src/edit.ts',
    'grep -rn -A2 "export interface Limit" packages/core/src/cut',
    'grep -rnw "ranks" packages/core/src/policies',
  ],
  ...[
    'git grep -n "createHasher" -- packages',
    'git grep -c "perItem" -- packages/core',
    'grep -i "licen" package.json packages/*/package.json',
  ],
  ...[
    'npm ls --depth 0',
    'npm run',
    'npm pkg get name version',
    'npx vitest run --project all packages/core/src/cut/notable',
    'npx vitest --version',
  ],
  ...[
    'npx biome check packages/core/src/cut',
    'npx tsc --version',
    'npx tsc -p packages/core --noEmit',
    'npx oxlint packages/core/src/cut',
  ],
  ...[
    'jq .scripts package.json',
    'jq . packages/core/package.json',
    'jq -c .scripts package.json',
    'jq ".compilerOptions" packages/core/tsconfig.json',
  ],
  ...[
    'node -p process.versions.v8',
    'node -p "require(\'./package.json\')"',
    'node -e "console.table([{a:1,b:2},{a:3,b:4}])"',
    'node --test missing.test.mjs',
  ],
  ...[
    'git log --oneline --color=always -8',
    'grep --color=always -rn "maxRead" packages/core/src/cut',
    'git diff --stat --color=always HEAD~2',
    'ls --color=always',
  ],
  ...[
    'FORCE_COLOR=1 npx vitest run --project all packages/core/src/cut/matches.test.ts',
    'npx biome check --colors=force packages/core/src/text',
  ],
  ...[
    'head -5 CHANGELOG.md',
    'sort package.json | uniq -c | sort -rn | head -5',
    'diff package.json packages/core/package.json | head -20',
    'cat .gitignore',
  ],
]

const inFolder = [
  ...[
    'python3 -m pytest -q',
    'python3 -m pytest -v',
    'python3 -m pytest --color=yes',
    'python3 broken.py',
    'python3 -m json.tool orders.json',
    'python3 -V',
    'python3 -m pip show pip',
  ],
  ...[
    'python3 -m unittest -v test_cart 2>&1',
    'python3 -m compileall -q .',
    'python3 -c "import nothing"',
    'python3 -m pip list --format columns | head -6',
  ],
  ...['go version', 'go vet ./...', 'go build ./...', 'go test ./...', 'go test -v ./...', 'go env GOOS GOARCH', 'gofmt -l .'],
  ...[
    'cargo --version',
    'cargo check --offline',
    'cargo test --offline',
    'cargo tree --offline',
    'cargo check --offline --message-format short',
    'cargo test --offline --color always',
  ],
  ...['make', 'make clean', 'gcc -Wall -c cart.c', 'gcc --version', 'make nothing', './cart'],
  ...[
    'sqlite3 -header -column shop.db "select * from orders"',
    'sqlite3 shop.db .schema',
    'sqlite3 -json shop.db "select * from orders limit 3"',
  ],
  ...[
    'curl -s localhost:PORT/orders',
    'curl -s localhost:PORT/orders | jq .',
    'curl -sI localhost:PORT/health',
    'curl -s -o /dev/null -w "%{http_code}\\n" localhost:PORT/missing',
  ],
  ...[
    'curl localhost:PORT/health',
    'curl -i localhost:PORT/orders/2',
    'curl -s localhost:PORT/pretty',
    'curl -s localhost:1/',
    'curl -s localhost:PORT/orders | python3 -m json.tool',
  ],
  ...[
    'cat orders.csv',
    'column -s, -t orders.csv',
    'cut -d, -f2 orders.csv | sort | uniq -c',
    "awk -F, '{s+=$4} END {print s}' orders.csv",
    'wc orders.csv orders.json',
  ],
  ...[
    'grep -rn "total" .',
    'grep -n "def " *.py',
    'find . -type f -newer Makefile',
    'ls -lt',
    'tar czf shop.tgz *.py && tar tvf shop.tgz',
    'sha256sum *.py',
  ],
  ...[
    'diff -u cart.py cart2.py',
    'sed -n 1,5p cart.py',
    'tail -3 app.log',
    'grep -E "WARN|ERROR" app.log',
    'df -h . | head -2',
    'date -u -d @0',
    'sleep 0; echo done',
  ],
]

const orders = [
  { id: 1, customer: 'c-104', status: 'paid', total: 42.5, items: [{ sku: 'A-1', count: 2 }] },
  { id: 2, customer: 'c-220', status: 'open', total: 17, items: [] },
  { id: 3, customer: 'c-104', status: 'returned', total: 9.99, items: [{ sku: 'B-7', count: 1 }] },
]

const files = {
  'cart.py':
    'def total(items):\n    return sum(price * count for price, count in items)\n\n\ndef add(items, price, count=1):\n    return [*items, (price, count)]\n',
  'cart2.py':
    'def total(items):\n    return round(sum(price * count for price, count in items), 2)\n\n\ndef add(items, price, count=1):\n    return [*items, (price, count)]\n',
  'broken.py': 'from cart import total\n\n\ndef run():\n    print(total([(1, 2), (3,)]))\n\n\nrun()\n',
  'test_cart.py':
    'import unittest\nfrom cart import add, total\n\n\nclass CartTest(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total([(2, 3)]), 6)\n\n    def test_add(self):\n        self.assertEqual(add([], 4), [(4, 1)])\n\n    def test_empty(self):\n        self.assertEqual(total([]), 1)\n',
  'go.mod': 'module example.com/shop\n\ngo 1.20\n',
  'shop.go':
    'package shop\n\n// Total adds up prices.\nfunc Total(prices []int) int {\n\tsum := 0\n\tfor _, price := range prices {\n\t\tsum += price\n\t}\n\treturn sum\n}\n',
  'shop_test.go':
    'package shop\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif got := Total([]int{1, 2}); got != 4 {\n\t\tt.Errorf("got %d, want 4", got)\n\t}\n}\n\nfunc TestEmpty(t *testing.T) {\n\tif Total(nil) != 0 {\n\t\tt.Fatal("not empty")\n\t}\n}\n',
  'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
  'src/lib.rs':
    'pub fn total(prices: &[u32]) -> u32 {\n    let unused = 1;\n    prices.iter().sum()\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::total(&[1, 2]), 3);\n    }\n\n    #[test]\n    fn is_empty() {\n        assert_eq!(super::total(&[]), 1);\n    }\n}\n',
  'cart.c': '#include <stdio.h>\n\nint main(void) {\n  int unused;\n  printf("total: %d\\n", 42);\n  return 0;\n}\n',
  Makefile: 'all: cart\n\ncart: cart.c\n\tgcc -Wall -o cart cart.c\n\nclean:\n\trm -f cart cart.o\n',
  'orders.json': JSON.stringify({ orders, next: null }),
  'orders.csv': `id,customer,status,total\n${orders.map(({ id, customer, status, total }) => [id, customer, status, total].join(',')).join('\n')}\n`,
  'app.log': Array.from(
    { length: 12 },
    (_, index) =>
      `2025-03-0${(index % 9) + 1}T10:00:0${index % 9}Z ${index === 4 ? 'WARN  slow query' : index === 9 ? 'ERROR no route to db' : 'INFO  request'} id=${index}`,
  ).join('\n'),
}

async function record() {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-record-'))
  const [clone, shop] = ['plimsoll', 'shop'].map((name) => join(folder, name))
  const server = new Worker(serverCode, { eval: true, workerData: orders })
  try {
    const port = await new Promise((resolve) => server.once('message', resolve))
    spawnSync('git', ['clone', '-q', repository, clone])
    symlinkSync(join(repository, 'node_modules'), join(clone, 'node_modules'))
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(shop, name)), { recursive: true })
      writeFileSync(join(shop, name), text)
    }
    spawnSync('sqlite3', [join(shop, 'shop.db')], {
      input: `create table orders(id integer primary key, customer text, status text, total real);\n.mode csv\n.import --skip 1 ${join(shop, 'orders.csv')} orders\n`,
    })
    const outputs = [
      ...inRepository.map((command) => outputOf(command, clone, port)),
      ...inFolder.map((command) => outputOf(command, shop, port)),
    ]
    const author = spawnSync('git', ['log', '-1', '--format=%an'], { cwd: clone, encoding: 'utf8' }).stdout.trim()
    const names = [
      [clone, '/srv/plimsoll'],
      [shop, '/srv/shop'],
      [folder, '/srv'],
      [repository.replace(/\/$/, ''), '/srv/plimsoll'],
      [homedir(), '/home/dev'],
      [String(port), '8080'],
    ]
    const recorded = outputs
      .filter(({ text }) => text.trim() !== '' && text.length <= maxLength)
      .map(({ command, text }) => {
        const named = names.reduce((shown, [from, to]) => shown.replaceAll(from, to), text)
        const people = named.replaceAll(/^(Author: +).*$/gm, '$1dev <dev@example.org>').replaceAll(author, 'dev')
        return {
          command: command.replaceAll('PORT', '8080'),
          text: people.replaceAll(new RegExp(`\\b${userInfo().username}\\b`, 'g'), 'dev'),
        }
      })
    writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`)
    process.stdout.write(`${recorded.length} outputs of ${outputs.length} commands\n`)
  } finally {
    await server.terminate()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Commands block this thread, so the server has its own. */
const serverCode = `
const { createServer } = require('node:http')
const { parentPort, workerData: orders } = require('node:worker_threads')
const answers = {
  '/orders': JSON.stringify({ orders, next: null }),
  '/pretty': JSON.stringify({ orders, next: null }, null, 2),
  '/orders/2': JSON.stringify(orders[1]),
  '/health': '{"ok":true}',
}
const server = createServer((request, response) => {
  const body = answers[request.url]
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
  response.end(body ?? '{"error":"not found"}')
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

const { NO_COLOR: _, FORCE_COLOR: __, ...colourless } = process.env

function outputOf(command, cwd, port) {
  const ran = spawnSync('bash', ['-c', `exec 2>&1; ${command.replaceAll('PORT', String(port))}`], {
    cwd,
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...colourless, LC_ALL: 'C.UTF-8' },
  })
  return { command, text: ran.stdout }
}

await record()
