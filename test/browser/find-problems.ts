import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { toolPath } from '../tools/tool-path.ts'
import { settled } from './settled.ts'

const axe = readFileSync(toolPath('axe-core', 'axe.min.js'), 'utf8')

/**
 * Waits until a page is settled, and lists axe findings with their elements, and content wider than the page. Below an open dialog only the
 * dialog is looked at: nothing else can be reached.
 */
export async function findProblems(page: Page): Promise<readonly string[]> {
  const tooWide = await findTooWide(page)
  // Injected from outside, where the page's content security policy does not apply.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe)
  return [...(await page.evaluate<readonly string[]>(violations)), ...tooWide]
}

/** Waits until a page is settled, and lists content that needs horizontal scrolling. */
export async function findTooWide(page: Page): Promise<readonly string[]> {
  await settled(page)
  return page.evaluate<readonly string[]>(sideways)
}

const violations = `axe.run(document.querySelector('dialog[open]') ?? document, {
  resultTypes: ['violations'], preload: false, rules: { 'target-size': { enabled: true } }
}).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
    id + ' ' + target.join(' ') + ' ' + (failureSummary ?? '').split('\\n').slice(1, 2).join('').trim())))`

/** Tables and code in scrollable boxes may be wider. */
const sideways = `[document.documentElement, document.querySelector('main')]
  .filter((element) => element.scrollWidth > element.clientWidth)
  .map((element) => 'sideways ' + element.tagName + ' ' + element.scrollWidth + ' in ' + element.clientWidth)`
