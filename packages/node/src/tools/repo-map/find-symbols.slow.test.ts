import { describe, expect, it } from 'vitest'
import { languageOf } from './languages.ts'
import { findSymbols } from './source-files.ts'

async function symbolsOf(path: string, text: string) {
  const language = languageOf(path)
  if (language === null) throw new Error(`no language for ${path}`)
  return findSymbols(text, language)
}

const script = `export class Engine {
  #secret() {}
  start(fuel: number) {}
}
export function build() {}
function helper() {}
export const limit = 3
const local = 4
const arrow = () => 1
export { arrow }
`

describe('findSymbols', () => {
  it.each<[path: string, text: string, names: readonly string[]]>([
    [
      'a.ts',
      `${script}interface Shape {}\ntype Name = string\nenum Color { Red }\n`,
      ['Engine', 'secret', 'start', 'build', 'helper', 'limit', 'arrow', 'Shape', 'Name', 'Color'],
    ],
    ['a.tsx', 'export const View = () => <b>hi</b>\nfunction Part() { return <i/> }', ['View', 'Part']],
    ['a.js', 'class A { m() {} }\nfunction f() {}\nexports.g = function () {}\n', ['A', 'm', 'f', 'g']],
    ['a.py', 'LIMIT = 1\nclass A(B):\n    def m(self): pass\n@dec\nasync def f(): pass\n', ['LIMIT', 'A', 'm', 'f']],
    ['a.go', 'package p\ntype S struct{}\nfunc (s *S) M() {}\nfunc F() {}\nconst C = 1\nvar V = 2\n', ['S', 'M', 'F', 'C', 'V']],
    [
      'a.rs',
      'pub struct S {}\npub trait T { fn m(&self); }\nimpl T for S { fn m(&self) {} }\npub fn f() {}\nconst C: i32 = 1;\n',
      ['S', 'T', 'm', 'm', 'f', 'C'],
    ],
    [
      'a.java',
      'class A { A() {} void m() {} }\ninterface I {}\nenum E { X }\nrecord R(int a) {}\n',
      ['A', 'A', 'm', 'I', 'E', 'R'],
    ],
    [
      'a.c',
      '#define MAX 1\nstruct S { int x; };\ntypedef int number;\nint f(int a) { return a; }\nint *g(void);\n',
      ['MAX', 'S', 'number', 'f', 'g'],
    ],
    ['a.cpp', 'namespace n { class A { void m(); }; }\nvoid n::A::m() {}\nusing J = int;\n', ['n', 'A', 'm', 'm', 'J']],
    ['a.cs', 'namespace N { class A { void M() {} int P { get; set; } } interface I {} }\n', ['A', 'M', 'P', 'I']],
    ['a.rb', 'module M\n  class A\n    def m; end\n    def self.s; end\n  end\nend\nX = 1\n', ['M', 'A', 'm', 's', 'X']],
    ['a.php', '<?php\nclass A { const C = 1; function m() {} }\nfunction f() {}\n', ['A', 'C', 'm', 'f']],
    ['a.sh', 'f() { echo; }\nfunction g { echo; }\n', ['f', 'g']],
    ['a.ps1', 'function Get-X { }\nclass A { [void] M() {} }\n', ['Get-X', 'A', 'M']],
  ])('knows what %s defines', async (path, text, names) => {
    expect((await symbolsOf(path, text)).map(({ name }) => name)).toEqual(names)
  })

  it('tells the line, the signature, and who can use it', async () => {
    expect(await symbolsOf('a.ts', script)).toEqual([
      { name: 'Engine', line: 1, signature: 'export class Engine', isMember: false, isPublic: true },
      { name: 'secret', line: 2, signature: '#secret() {}', isMember: true, isPublic: false },
      { name: 'start', line: 3, signature: 'start(fuel: number) {}', isMember: true, isPublic: true },
      { name: 'build', line: 5, signature: 'export function build() {}', isMember: false, isPublic: true },
      { name: 'helper', line: 6, signature: 'function helper() {}', isMember: false, isPublic: false },
      { name: 'limit', line: 7, signature: 'export const limit = 3', isMember: false, isPublic: true },
      { name: 'arrow', line: 9, signature: 'const arrow = () => 1', isMember: false, isPublic: true },
    ])
  })

  it.each<[story: string, path: string, text: string]>([
    ['broken code', 'a.ts', 'function ( { { export class'],
    ['bytes', 'a.py', '\0\ud800\u0001'.repeat(1000)],
    ['very deep nesting', 'a.js', '('.repeat(100_000)],
    ['very deep blocks', 'a.c', '{'.repeat(100_000)],
    ['an endless line', 'a.ts', `const a = ${'a+'.repeat(100_000)}1`],
    ['an unfinished list of exports', 'a.ts', 'export { '.repeat(20_000)],
  ])('has an answer to %s, and goes on', async (_story, path, text) => {
    expect(await symbolsOf(path, text)).toBeInstanceOf(Array)
    expect((await symbolsOf('b.ts', 'export function next() {}')).map(({ name }) => name)).toEqual(['next'])
  })

  it('knows no language of other files', () => {
    expect(['a.txt', 'Makefile', 'a.', 'x.unknown'].map(languageOf)).toEqual([null, null, null, null])
  })
})
