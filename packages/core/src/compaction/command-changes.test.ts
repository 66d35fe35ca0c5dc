import { describe, expect, it } from 'vitest'
import { commandChanges, patchedFiles } from './changed-files.ts'
import { shellCommands } from './shell-commands.ts'

const told = (line: string) => commandChanges(line).map(({ path, change }) => `${path}: ${change}`)

describe('files changed by a command line', () => {
  it.each<[string, readonly string[]]>([
    ['ls -la src', []],
    ['echo hi > a.txt', ['a.txt: written']],
    ['echo hi >> a.txt', ['a.txt: appended to']],
    ['npm test > out.log 2>&1', ['out.log: written']],
    ['npm test 2> err.log', ['err.log: written']],
    ['npm test &> all.log', ['all.log: written']],
    ['npm test > /dev/null 2>/dev/null', []],
    ['echo "a > b"', []],
    ["echo 'x' > 'with space.txt'", ['with space.txt: written']],
    ['echo x > $OUT', []],
    ['cat < in.txt > out.txt', ['out.txt: written']],
    ["cat > src/a.py <<'EOF'\nif a > b:\n  rm c\nEOF\nrm old.py", ['src/a.py: written', 'old.py: deleted']],
    ['cd /repo && sed -i "s/a/b/" lib/x.py lib/y.py', ['/repo/lib/x.py: edited', '/repo/lib/y.py: edited']],
    ["sed -i '' -e 's/a/b/' x.py", ['x.py: edited']],
    ['sed -n 1,5p x.py', []],
    ["perl -pi -e 's/a/b/' x.pl", ['x.pl: edited']],
    ['rm -rf build dist', ['build: deleted', 'dist: deleted']],
    ['rm -f *.tmp', []],
    ['mv a.ts b.ts', ['a.ts: moved to b.ts', 'b.ts: moved here']],
    ['mv a.ts b.ts lib/', ['a.ts: moved to lib/', 'b.ts: moved to lib/']],
    ['git mv a.ts b.ts', ['a.ts: moved to b.ts', 'b.ts: moved here']],
    ['git rm --cached a.ts', ['a.ts: deleted']],
    ['git checkout -- a.ts', ['a.ts: restored']],
    ['git checkout main', []],
    ['git log > log.txt; touch b', ['log.txt: written', 'b: touched']],
    ['cp a b', ['b: copied']],
    ['make 2>&1 | tee -a build.log', ['build.log: appended to']],
    ['FOO=1 sudo rm x', ['x: deleted']],
    ['bash -lc "rm x && echo y > z"', ['x: deleted', 'z: written']],
    ['python - <<EOF\nopen("a.txt", "w").write("x")\nPath(\'b.txt\').write_text("y")\nEOF', ['a.txt: written', 'b.txt: written']],
    ['node -e "fs.writeFileSync(\'c.json\', x)"', ['c.json: written']],
    ['# rm x', []],
    ['echo "never closed > x', []],
    ['', []],
  ])('%j', (line, changes) => expect(told(line)).toEqual(changes))

  it('reads words without quotes, and commands without leading assignments', () =>
    expect(shellCommands('A=1 git commit -m "a \\"b\\"" && (cd x; ls)')).toEqual([
      { words: ['git', 'commit', '-m', 'a \\"b\\"'], outputs: [] },
      { words: ['cd', 'x'], outputs: [] },
      { words: ['ls'], outputs: [] },
    ]))

  it.each([
    '"'.repeat(200_000),
    '<<'.repeat(100_000),
    '\\'.repeat(200_001),
    `cat ${'<<E\n'.repeat(3000)}`,
    '> '.repeat(100_000),
    `bash -c "${'" '.repeat(50_000)}`,
  ])('reads hostile text to its end', (line) => expect(Array.isArray(commandChanges(line))).toBe(true))

  it.each<[string, readonly string[]]>([
    [
      '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** Add File: b.ts\n+z\n*** Delete File: c.ts\n*** End Patch',
      ['a.ts: edited', 'b.ts: created', 'c.ts: deleted'],
    ],
    [
      '--- a/x.py\t2026\n+++ b/x.py\n@@ -1 +1 @@\n--- /dev/null\n+++ b/new.py\n--- a/old.py\n+++ /dev/null\n',
      ['x.py: edited', 'new.py: created', 'old.py: deleted'],
    ],
    ['nothing of a patch', []],
  ])('reads the files of a patch', (text, files) =>
    expect(patchedFiles(text).map(({ path, change }) => `${path}: ${change}`)).toEqual(files),
  )
})
