import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { settled } from './settled.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on a page once it has come to rest, each with the element it is about; and whatever of the page has to be moved sideways to be read. */
export async function findTroubles(page: Page): Promise<readonly string[]> {
  await settled(page)
  // Put in from outside, where the page's content security policy has no say.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe)
  return [...(await page.evaluate<readonly string[]>(violations)), ...(await page.evaluate<readonly string[]>(sideways))]
}

const violations = `axe.run(document, { resultTypes: ['violations'], preload: false }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
    id + ' ' + target.join(' ') + ' ' + (failureSummary ?? '').split('\\n').slice(1, 2).join('').trim())))`

/** Tables and code in boxes of their own may be wider. */
const sideways = `[document.documentElement, document.querySelector('main')]
  .filter((element) => element.scrollWidth > element.clientWidth)
  .map((element) => 'sideways ' + element.tagName + ' ' + element.scrollWidth + ' in ' + element.clientWidth)`
