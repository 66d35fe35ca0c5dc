import type { SessionFinding } from '../../../node/src/shared/inspection/inspection.ts'
import { useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'
import { useInspector } from './source/inspector-source.ts'
import type { LoadLineActions } from './window/load-line-table.tsx'

/** What cost most in a session, where, and what would help. Nothing if the session is simulated or nothing is known. */
export function Findings({ onShowMessages }: Pick<LoadLineActions, 'onShowMessages'>) {
  const { findings: texts, spending, dollars } = useLanguage()
  const { inspection, onOpenTab } = useInspector()
  const textOf = useFindingText()
  const { findings = [], session, requests } = inspection
  if (findings.length === 0 || session.under !== undefined) return null
  const open = (finding: SessionFinding) => {
    if (finding.kind === 'result')
      return onShowMessages({ category: 'results', ...(finding.tool === null ? {} : { tool: finding.tool }) })
    if (finding.kind === 'reads') return onShowMessages({ category: 'results' })
    const at = finding.at ?? Number.POSITIVE_INFINITY
    const request = requests.findIndex((one) => one.at !== null && one.at >= at)
    onOpenTab('timeline', request < 0 ? [] : [request])
  }
  return (
    <section className="card cost-list" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <ul>
        {findings.map((finding) => (
          <li key={JSON.stringify(finding)}>
            <button type="button" onClick={() => open(finding)}>
              <span className="cost-list-name">{visibleLine(textOf(finding), 200)}</span>
              <span className="number">{dollars(finding.dollars)}</span>
              <span className="cost-list-about muted small">
                {finding.kind === 'result' ? texts.resultHelp : spending.helps[finding.kind]}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className="small muted">{texts.about}</p>
    </section>
  )
}

function useFindingText(): (finding: SessionFinding) => string {
  const { findings: texts, number, duration } = useLanguage()
  return (finding) => {
    const tokens = number(finding.tokens)
    if (finding.kind === 'reads') return texts.reads(finding.about, number(finding.count), number(finding.times))
    if (finding.kind === 'result') return texts.result([finding.tool, finding.about].filter(Boolean).join(' '), tokens)
    if (finding.kind === 'pause' && finding.pauseSeconds !== null)
      return texts.pause(tokens, duration(finding.pauseSeconds * 1000))
    return finding.kind === 'model' ? texts.model(tokens) : texts.change(tokens)
  }
}
