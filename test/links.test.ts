import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Page, readPages } from './documents.ts'
import { root } from './source-files.ts'

const pages = readPages()

describe('links in README, change log and docs', () => {
  it('exist', () => expect(pages.flatMap((page) => linksOf(page.text)).length).toBeGreaterThan(50))

  it.each(pages)('point to existing files and headings in $path', (page) => expect(deadLinks(page)).toEqual([]))
})

describe('the check itself', () => {
  it('finds a missing file, a missing heading and a link that leaves the repository', () => {
    const text =
      '# Here\n[a](no-such-file.md) [b](README.md#nothing) [c](#here) [d](../outside.md) [e](https://example.org) [f](README.md)'
    expect(deadLinks({ path: 'README.md', text })).toEqual(['no-such-file.md', 'README.md#nothing', '../outside.md'])
  })
})

function linksOf(text: string): readonly string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map((match) => match[1] as string)
}

function deadLinks(page: Page): readonly string[] {
  return linksOf(page.text).filter((link) => !/^https?:/.test(link) && !leadsSomewhere(page, link))
}

function leadsSomewhere(page: Page, link: string): boolean {
  const [file = '', heading] = link.split('#')
  const path = file === '' ? page.path : posix.join(posix.dirname(page.path), file)
  if (path.startsWith('..') || (file !== '' && !existsSync(`${root}/${path}`))) return false
  if (heading === undefined) return true
  const text = file === '' ? page.text : readFileSync(`${root}/${path}`, 'utf8')
  return [...text.matchAll(/^#+ (.*)$/gm)].some((match) => anchorOf(match[1] as string) === heading)
}

/** The name that forges give a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
