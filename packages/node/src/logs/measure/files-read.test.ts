import { describe, expect, it } from 'vitest'
import { filesRead } from './measured-part.ts'

describe('the files that a command only shows', () => {
  it.each([
    ['cat a.ts', ['a.ts']],
    ['cat a.ts b.ts', ['a.ts', 'b.ts']],
    ["sed -n '1,80p' src/a.ts", ['src/a.ts']],
    ['head -n 20 a.ts', ['a.ts']],
    ['tail -20 a.ts', ['a.ts']],
    ["nl -ba a.ts | sed -n '10,20p'", ['a.ts']],
    ['cd src && cat a.ts', ['src/a.ts']],
    ['cd /srv; cat /etc/hosts', ['/etc/hosts']],
    ["bash -lc 'cat a.ts'", ['a.ts']],
    ['cat a.ts 2>/dev/null', ['a.ts']],
    ['cat a.ts | grep -n import', ['a.ts']],
    ['cat *.ts', []],
    ['cat a.ts > b.ts', []],
    ["sed -i 's/a/b/' a.ts", []],
    ["sed 's/a/b/' a.ts", []],
    ['cat a.ts && npm test', []],
    ['npm test', []],
    ['cat <<EOF\na.ts\nEOF', []],
    ['', []],
  ])('%j', (line, files) => expect(filesRead(line)).toEqual(files))

  it('does not parse a line that is not a command for reading a file', () =>
    expect(filesRead(`cat ${'a'.repeat(3000)}`)).toEqual([]))
})
