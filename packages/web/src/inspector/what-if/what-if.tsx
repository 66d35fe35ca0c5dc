import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type {
  WhatIf as WhatIfAnswer,
  WhatIfChoices,
  WhatIfQuestion,
} from '../../../../node/src/shared/inspection/embedded-inspection.ts'
import { Button, Form, Select, WorkProgress } from '../../parts/controls.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { ErrorNotice, useLoaded } from '../../parts/use-loaded.tsx'
import type { WorkLine } from '../../server/api.ts'
import { useInspector } from '../source/inspector-source.ts'
import { WhatIfResult } from './what-if-result.tsx'
import { usualChoices, usualQuestion, withToggled } from './what-if-rows.ts'
import './what-if.css'

/** `answer` is the last complete one, which stays until the next has its first rows. */
type Comparison = { readonly answer: WhatIfAnswer | null } & (
  | { readonly state: 'none' | 'cancelled' | 'there' }
  | { readonly state: 'asked'; readonly question: WhatIfQuestion; readonly soFar: WhatIfAnswer | null }
  | { readonly state: 'failed'; readonly error: unknown }
)

/** Longer sessions are replayed only when asked for. */
const askedAtOnce = 300

/** The same session under other policies and prices, side by side. */
export function WhatIf() {
  const { inspection, source, typed } = useInspector()
  const { whatIf, timeline } = useLanguage()
  const [choices] = useLoaded((signal) => source.whatIfChoices(signal), [source])
  if (inspection.requests.length === 0) return <p className="notice">{timeline.empty}</p>
  if (choices.state === 'loading')
    return (
      <p className="muted" role="status">
        {whatIf.loading}
      </p>
    )
  const known = choices.state === 'there' ? choices.value : usualChoices
  // Asked again at other prices.
  return <Compare key={`${inspection.session.id} ${JSON.stringify(typed)}`} choices={known} />
}

function Compare({ choices }: { readonly choices: WhatIfChoices }) {
  const { whatIf, number } = useLanguage()
  const { inspection, typed } = useInspector()
  const { session, requests } = inspection
  const count = requests.length
  const [question, setQuestion] = useState(
    (): WhatIfQuestion => ({
      ...usualQuestion(choices, session.isOwn),
      ...(Object.keys(typed).length === 0 ? {} : { own: typed }),
    }),
  )
  const [comparison, setComparison] = useState<Comparison>(() =>
    count <= askedAtOnce && choices.prices.length > 0
      ? { state: 'asked', question, soFar: null, answer: null }
      : { state: 'none', answer: null },
  )
  const { answer } = comparison
  const isBusy = comparison.state === 'asked'
  const soFar = isBusy ? comparison.soFar : null
  const ask = () => setComparison({ state: 'asked', question, soFar: null, answer })
  return (
    <div className="what-if">
      <h2>{whatIf.title}</h2>
      <p className="muted">{whatIf.about}</p>
      <WhatIfForm choices={choices} question={question} onQuestion={setQuestion} isBusy={isBusy} onCompare={ask} />
      {comparison.state === 'none' && count > askedAtOnce ? <p className="muted">{whatIf.long(number(count))}</p> : null}
      {isBusy ? (
        <WhatIfWork
          question={comparison.question}
          onRows={(rows) => setComparison((before) => (before.state === 'asked' ? { ...before, soFar: rows } : before))}
          onAnswer={(whole) => setComparison({ state: 'there', answer: whole })}
          onError={(error) => setComparison({ state: 'failed', error, answer: null })}
          onCancel={() => setComparison({ state: 'cancelled', answer })}
        />
      ) : null}
      {comparison.state === 'cancelled' ? (
        <p className="notice" role="status">
          {whatIf.cancelled}
        </p>
      ) : null}
      {comparison.state === 'failed' ? <ErrorNotice error={comparison.error} onRetry={ask} /> : null}
      {soFar === null && answer === null ? null : (
        <div className={isBusy && soFar === null ? 'what-if-stale' : undefined}>
          <WhatIfResult answer={(soFar ?? answer) as WhatIfAnswer} />
        </div>
      )}
    </div>
  )
}

interface WhatIfFormProps {
  readonly choices: WhatIfQuestion
  readonly question: WhatIfQuestion
  readonly onQuestion: (question: WhatIfQuestion) => void
  readonly isBusy: boolean
  readonly onCompare: () => void
}

function WhatIfForm({ choices, question, onQuestion, isBusy, onCompare }: WhatIfFormProps) {
  const { whatIf, number } = useLanguage()
  const isReady = question.policies.length > 0 && question.prices.length > 0
  const priceName = (name: string) => whatIf.priceNames[name] ?? name
  const toggle = (kind: 'policies' | 'prices', name: string) => onQuestion(withToggled(question, kind, name, choices))
  const left = choices.prices.filter((name) => !question.prices.includes(name))
  const usual = choices.policies.filter((name) => usualChoices.policies.includes(name))
  const others = choices.policies.filter((name) => !usualChoices.policies.includes(name))
  const choice = (name: string) => (
    <label key={name}>
      <input
        type="checkbox"
        checked={name === 'raw' || question.policies.includes(name)}
        disabled={name === 'raw'}
        onChange={() => toggle('policies', name)}
      />
      <span>
        <strong>{name}</strong>
        <span className="muted small">{whatIf.aboutPolicies[name] ?? ''}</span>
      </span>
    </label>
  )
  return (
    <Form
      className="what-if-form card"
      onSubmit={() => {
        if (isReady && !isBusy) onCompare()
      }}
    >
      <fieldset className="what-if-policies">
        <legend>{whatIf.policies}</legend>
        {usual.map(choice)}
        {others.length === 0 ? null : (
          <details open={others.some((name) => question.policies.includes(name))}>
            <summary className="small">{whatIf.others(number(others.length))}</summary>
            {others.map(choice)}
          </details>
        )}
      </fieldset>
      <fieldset className="what-if-prices">
        <legend>{whatIf.prices}</legend>
        <ul>
          {question.prices.map((name) => (
            <li key={name}>
              <Button
                isSmall
                aria-label={whatIf.removePrice(priceName(name))}
                onClick={() => toggle('prices', name)}
                text={priceName(name)}
              >
                <X size={13} aria-hidden />
              </Button>
              <span className="muted small">{whatIf.aboutPrices[name] ?? whatIf.modelPrice}</span>
            </li>
          ))}
        </ul>
        <Select
          className="field"
          aria-label={whatIf.addPrice}
          value=""
          options={[
            ['', whatIf.addPrice],
            ...left.map((name) => [name, `${priceName(name)}: ${whatIf.aboutPrices[name] ?? whatIf.modelPrice}`] as const),
          ]}
          onChoose={(name) => toggle('prices', name)}
        />
      </fieldset>
      <div className="what-if-go">
        <Button type="submit" look="primary" disabled={!isReady || isBusy} text={whatIf.compare} />
        {isReady ? null : <span className="muted small">{whatIf.nothingChosen}</span>}
      </div>
    </Form>
  )
}

interface WhatIfWorkProps {
  readonly question: WhatIfQuestion
  readonly onRows: (soFar: WhatIfAnswer) => void
  readonly onAnswer: (answer: WhatIfAnswer) => void
  readonly onError: (error: unknown) => void
  readonly onCancel: () => void
}

/** Runs the comparison and shows how far it is. Cancelling or leaving stops it. */
function WhatIfWork({ question, onRows, onAnswer, onError, onCancel }: WhatIfWorkProps) {
  const { whatIf } = useLanguage()
  const { source } = useInspector()
  const [share, setShare] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const onLine = (line: WorkLine<WhatIfAnswer>) => {
      if (signal.aborted) return
      if ('share' in line) setShare(line.share)
      else onRows(line.soFar)
    }
    source.whatIf(question, signal, onLine).then(
      (answer) => {
        if (!signal.aborted) onAnswer(answer)
      },
      (error: unknown) => {
        if (!signal.aborted) onError(error)
      },
    )
    return () => controller.abort()
    // The callbacks may change at each render; the question is asked once.
  }, [source, question])
  return (
    <div className="what-if-work notice">
      <WorkProgress text={whatIf.working} share={share} onCancel={onCancel} />
    </div>
  )
}
