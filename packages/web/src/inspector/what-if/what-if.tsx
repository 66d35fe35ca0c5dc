import { LoaderCircle, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { WhatIf as WhatIfAnswer, WhatIfQuestion } from '../../../../node/src/shared/inspection/embedded-inspection.ts'
import { Button, Form, Select } from '../../parts/controls.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { ErrorNotice, useLoaded } from '../../parts/use-loaded.tsx'
import { useInspector } from '../source/inspector-source.ts'
import { WhatIfResult } from './what-if-result.tsx'
import { usualChoices, usualQuestion, withToggled } from './what-if-rows.ts'
import './what-if.css'

type Comparison =
  | { readonly state: 'none' | 'cancelled' }
  | { readonly state: 'asked'; readonly question: WhatIfQuestion }
  | { readonly state: 'there'; readonly answer: WhatIfAnswer }
  | { readonly state: 'failed'; readonly error: unknown }

/** Longer sessions are replayed only when asked for. */
const askedAtOnce = 300

/** The same session under other policies and prices, side by side. */
export function WhatIf() {
  const { inspection, source } = useInspector()
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
  return <Compare key={inspection.session.id} choices={known} />
}

function Compare({ choices }: { readonly choices: WhatIfQuestion }) {
  const { whatIf, number } = useLanguage()
  const count = useInspector().inspection.requests.length
  const [question, setQuestion] = useState(() => usualQuestion(choices))
  const [comparison, setComparison] = useState<Comparison>(() =>
    count <= askedAtOnce && choices.prices.length > 0 ? { state: 'asked', question } : { state: 'none' },
  )
  return (
    <div className="what-if">
      <h2>{whatIf.title}</h2>
      <p className="muted">{whatIf.about}</p>
      <WhatIfForm
        choices={choices}
        question={question}
        onQuestion={setQuestion}
        isBusy={comparison.state === 'asked'}
        onCompare={() => setComparison({ state: 'asked', question })}
      />
      {comparison.state === 'none' && count > askedAtOnce ? <p className="muted">{whatIf.long(number(count))}</p> : null}
      {comparison.state === 'asked' ? (
        <WhatIfWork
          question={comparison.question}
          onAnswer={(answer) => setComparison({ state: 'there', answer })}
          onError={(error) => setComparison({ state: 'failed', error })}
          onCancel={() => setComparison({ state: 'cancelled' })}
        />
      ) : null}
      {comparison.state === 'cancelled' ? (
        <p className="notice" role="status">
          {whatIf.cancelled}
        </p>
      ) : null}
      {comparison.state === 'failed' ? (
        <ErrorNotice error={comparison.error} onRetry={() => setComparison({ state: 'asked', question })} />
      ) : null}
      {comparison.state === 'there' ? <WhatIfResult answer={comparison.answer} /> : null}
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
  const toggle = (kind: keyof WhatIfQuestion, name: string) => onQuestion(withToggled(question, kind, name, choices))
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
              <Button isSmall aria-label={whatIf.removePrice(name)} onClick={() => toggle('prices', name)} text={name}>
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
            ...left.map((name) => [name, `${name}: ${whatIf.aboutPrices[name] ?? whatIf.modelPrice}`] as const),
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
  readonly onAnswer: (answer: WhatIfAnswer) => void
  readonly onError: (error: unknown) => void
  readonly onCancel: () => void
}

/** Runs the comparison and shows how long it has taken. Cancelling or leaving stops it. */
function WhatIfWork({ question, onAnswer, onError, onCancel }: WhatIfWorkProps) {
  const { whatIf, duration } = useLanguage()
  const { source } = useInspector()
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000)
    source.whatIf(question, controller.signal).then(
      (answer) => {
        if (!controller.signal.aborted) onAnswer(answer)
      },
      (error: unknown) => {
        if (!controller.signal.aborted) onError(error)
      },
    )
    return () => {
      clearInterval(timer)
      controller.abort()
    }
    // The callbacks may change at each render; the question is asked once.
  }, [source, question])
  return (
    <div className="what-if-work notice">
      <LoaderCircle size={16} aria-hidden className="what-if-turning" />
      <span role="status">{whatIf.working}</span>
      <span className="muted small" aria-hidden="true">
        {duration(seconds * 1000)}
      </span>
      <Button isSmall onClick={onCancel} text={whatIf.cancel} />
    </div>
  )
}
