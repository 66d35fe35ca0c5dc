import { Ban, Check, CircleDashed, CircleX, LoaderCircle } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useApp } from '../parts/app-context.tsx'
import { useLanguage } from '../parts/language.tsx'
import { LongText } from '../parts/long-text.tsx'
import { terminalLines, visibleLine } from '../parts/safe-text.ts'
import { resultImages } from '../parts/shown-image.ts'
import type { Strings } from '../strings/strings-for.ts'
import type { CallStatus, ShownCall, ShownResult } from './blocks.ts'
import { Fold, useChat } from './chat-context.tsx'
import { resultFacts, shownResultText, wholeLength } from './result-text.ts'
import { ToolImage } from './tool-image.tsx'
import { progressText, ToolProgress } from './tool-progress.tsx'

const icons: Readonly<Record<CallStatus, typeof Check>> = {
  running: LoaderCircle,
  done: Check,
  failed: CircleX,
  refused: Ban,
  missing: CircleDashed,
}

/** Lines of output that are shown while a call runs. */
const outputLines = 200

/** A call of a tool: what it is about, how it stands and what came of it, with everything else folded under it. */
export function ToolCard({ id, call }: { readonly id: string; readonly call: ShownCall }) {
  const { conversation, turn, number, duration } = useLanguage()
  const { session, permission } = useChat()
  const { tool, about, access, status, progress, output, result, durationMs } = call
  const isWaiting = status === 'running' && permission?.callId === call.callId
  const summary = useMemo(() => callSummary(call, turn, number), [call, turn, number])
  const images = useMemo(() => (result === null ? [] : resultImages(result.content, result.metadata)), [result])
  const Icon = icons[status]
  const name = tool === '' ? conversation.tool.unnamed : visibleLine(tool, 80)
  const facts = [
    ...(access === null ? [] : [conversation.tool.access[access]]),
    ...(durationMs !== null && durationMs >= 100 ? [duration(durationMs)] : []),
  ]
  return (
    <div className={`tool-card tool-card-${status}`}>
      <Fold
        id={id}
        className="tool-card-fold"
        isOpenAtFirst={status === 'failed'}
        summary={
          <span className="tool-card-head">
            <Icon size={15} aria-hidden className="tool-card-icon" />
            <strong className="mono">{name}</strong>
            <span className="mono tool-card-about">{about}</span>
            <span className="tool-card-facts small">
              <span className="tool-card-status">{isWaiting ? conversation.tool.waits : conversation.tool.status[status]}</span>
              {summary === '' ? null : <span className="tool-card-summary">{summary}</span>}
              {facts.map((fact) => (
                <span key={fact}>{fact}</span>
              ))}
            </span>
          </span>
        }
      >
        {() => (
          <div className="tool-card-body">
            <Fold id={`${id} input`} summary={conversation.tool.input} isOpenAtFirst={result === null}>
              {() => <LongText text={inputText(call.input)} most={4000} />}
            </Fold>
            {result === null ? null : <Result call={call} result={result} />}
          </div>
        )}
      </Fold>
      {status === 'running' && progress !== null ? (
        <ToolProgress
          label={conversation.tool.progress(name)}
          message={progressText(progress.message, conversation)}
          progress={progress.progress}
        />
      ) : null}
      {status === 'running' && output !== '' ? (
        <pre className="tool-card-output" tabIndex={0} aria-label={conversation.tool.output}>
          {terminalLines(output, outputLines)}
        </pre>
      ) : null}
      {images.map((image, index) => (
        <ToolImage key={index} session={session} image={image} />
      ))}
    </div>
  )
}

function Result({ call, result }: { readonly call: ShownCall; readonly result: ShownResult }): ReactNode {
  const { conversation } = useLanguage()
  const { api } = useApp()
  const { session } = useChat()
  const text = shownResultText(result)
  const { diff } = resultFacts(result)
  const load = async () => {
    const path = `/sessions/${encodeURIComponent(session)}/results/${encodeURIComponent(call.callId)}`
    return (await api.fetch(path)).text()
  }
  return (
    <>
      {diff === null ? null : (
        <div>
          <p className="small muted">{conversation.tool.changes}</p>
          <LongText text={diff} isDiff />
        </div>
      )}
      {text === '' ? null : (
        <div>
          <p className="small muted">{conversation.tool.result}</p>
          <LongText text={text} whole={wholeLength(result)} load={load} isDiff={diff === null && looksLikeDiff(text)} />
        </div>
      )}
    </>
  )
}

function inputText(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input, null, 2) ?? '')
}

function looksLikeDiff(text: string): boolean {
  return /^(?:diff --git |@@ -\d)/m.test(text.slice(0, 20_000))
}

/** What came of a call in a few words; empty while nothing has. Numbers are written by `number`. */
export function callSummary({ result, status }: ShownCall, strings: Strings['turn'], number: (value: number) => string): string {
  if (result === null) return ''
  const facts = resultFacts(result)
  const { exitCode, added, removed, matches, files, saved, lines, isFile, first } = facts
  if (status !== 'done' && exitCode === null) return visibleLine(first)
  const told = [
    ...(exitCode === null ? [] : [strings.exitCode(exitCode)]),
    ...(added + removed === 0 ? [] : [`+${number(added)} −${number(removed)}`]),
    ...(matches === null ? [] : [strings.matches(number(matches))]),
    ...(files === null ? [] : [strings.files(number(files))]),
    ...(saved === null ? [] : [strings.savedTo(visibleLine(saved))]),
  ]
  if (told.length > 0 && exitCode === null) return told.join(' · ')
  if (lines === 0) return [...told, strings.nothingPrinted].join(' · ')
  if (lines === 1 && !isFile) return [...told, visibleLine(first)].join(' · ')
  return [...told, strings.lines(number(lines))].join(' · ')
}
