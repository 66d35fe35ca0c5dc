import { agentProgram } from '../../../node/src/shared/agents.ts'
import type { SessionFinding } from '../../../node/src/shared/inspection/inspection.ts'
import { Sentence } from '../parts/controls.tsx'
import { useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'
import { useInspector } from './source/inspector-source.ts'
import type { LoadLineActions } from './window/load-line-table.tsx'

/** What cost most in a session, where, and what would help. Nothing if the session is simulated or nothing is known. */
export function Findings({ onShowMessages }: Pick<LoadLineActions, 'onShowMessages'>) {
  const { findings: texts, money } = useLanguage()
  const { inspection } = useInspector()
  const placeOf = useFindingPlace(onShowMessages)
  const textOf = useFindingText()
  const helpOf = useFindingHelp()
  const { findings = [], session } = inspection
  if (findings.length === 0 || session.under !== undefined) return null
  return (
    <section className="card cost-list findings" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <ul>
        {findings.map((finding) => {
          const place = placeOf(finding)
          return (
            <li key={JSON.stringify(finding)}>
              <button type="button" onClick={place.open}>
                <span className="cost-list-name" dir="auto">
                  {visibleLine(textOf(finding), 200)}
                </span>
                <span className="number">{money(finding.dollars)}</span>
                <span className="cost-list-about muted small">
                  <Sentence text={helpOf(finding)} />
                </span>
                <span className="findings-place small">{place.name}</span>
              </button>
            </li>
          )
        })}
      </ul>
      <p className="small muted">{texts.about}</p>
    </section>
  )
}

interface FoundPlace {
  readonly name: string
  readonly open: () => void
}

/** Where a finding is: a message, a request, or all results of its tool. */
function useFindingPlace(onShowMessages: LoadLineActions['onShowMessages']): (finding: SessionFinding) => FoundPlace {
  const { findings: texts, ordinal } = useLanguage()
  const { onOpenMessage, onOpenTab } = useInspector()
  return (finding) => {
    const { message, request } = finding
    if (message !== undefined) return { name: texts.toMessage(ordinal(message)), open: () => onOpenMessage(message) }
    if (request !== undefined) return { name: texts.toRequest(ordinal(request)), open: () => onOpenTab('timeline', [request]) }
    if (finding.kind !== 'result' && finding.kind !== 'reads')
      return { name: texts.toTimeline, open: () => onOpenTab('timeline', []) }
    const tool = finding.kind === 'result' && finding.tool !== null ? { tool: finding.tool } : {}
    return { name: texts.toMessages, open: () => onShowMessages({ category: 'results', ...tool }) }
  }
}

function useFindingText(): (finding: SessionFinding) => string {
  const { findings: texts, number, duration } = useLanguage()
  return (finding) => {
    const tokens = number(finding.tokens)
    if (finding.kind === 'reads') return texts.reads(finding.about, number(finding.count), number(finding.times))
    if (finding.kind === 'result') return texts.result([finding.tool, finding.about].filter(Boolean).join(' '), tokens)
    if (finding.kind === 'mcp') return texts.mcp(finding.about, tokens, number(finding.requests))
    if (finding.kind === 'tools')
      return texts.tools(finding.about, number(finding.count), number(finding.of), tokens, number(finding.requests))
    if (finding.kind === 'pause' && finding.pauseSeconds !== null)
      return texts.pause(tokens, duration(finding.pauseSeconds * 1000))
    return finding.kind === 'model' ? texts.model(tokens) : texts.change(tokens)
  }
}

function useFindingHelp(): (finding: SessionFinding) => string {
  const { findings: texts, spending } = useLanguage()
  const { isOwn, format } = useInspector().inspection.session
  const program = agentProgram(format)
  return ({ kind }) => {
    if (kind === 'mcp' || kind === 'tools') return texts.helps[kind]
    if (kind === 'pause' || kind === 'model' || kind === 'change') return spending.helps[kind]
    if (isOwn) return texts.helps.own
    return kind === 'result' ? texts.helps.result(program) : spending.helps.reads(program)
  }
}
