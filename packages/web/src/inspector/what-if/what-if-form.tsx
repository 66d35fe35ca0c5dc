import type { WhatIfQuestion } from '@plimsoll/core'
import { X } from 'lucide-react'
import { useLanguage } from '../../parts/language.tsx'
import { usualChoices, withPolicies, withPrices } from './what-if-question.ts'

/** What the form is told. */
export interface WhatIfFormProps {
  readonly choices: WhatIfQuestion
  readonly question: WhatIfQuestion
  readonly onQuestion: (question: WhatIfQuestion) => void
  readonly isBusy: boolean
  readonly onCompare: () => void
}

/** Chooses the policy sets and prices that are compared. `raw` is always among them. */
export function WhatIfForm({ choices, question, onQuestion, isBusy, onCompare }: WhatIfFormProps) {
  const { strings, number } = useLanguage()
  const words = strings.whatIf
  const isReady = question.policies.length > 0 && question.prices.length > 0
  const aboutPrice = (name: string) => words.aboutPrices[name] ?? words.modelPrice
  const usual = choices.policies.filter((name) => usualChoices.policies.includes(name))
  const others = choices.policies.filter((name) => !usualChoices.policies.includes(name))
  const choice = (name: string) => (
    <label key={name}>
      <input
        type="checkbox"
        checked={name === 'raw' || question.policies.includes(name)}
        disabled={name === 'raw'}
        onChange={() => onQuestion(withPolicies(question, name, choices))}
      />
      <span>
        <strong>{name}</strong>
        <span className="muted small">{words.aboutPolicies[name] ?? ''}</span>
      </span>
    </label>
  )
  return (
    <form
      className="what-if-form card"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !isBusy) onCompare()
      }}
    >
      <fieldset className="what-if-policies">
        <legend>{words.policies}</legend>
        {usual.map(choice)}
        {others.length === 0 ? null : (
          <details open={others.some((name) => question.policies.includes(name))}>
            <summary className="small">{words.others(number(others.length))}</summary>
            {others.map(choice)}
          </details>
        )}
      </fieldset>
      <fieldset className="what-if-prices">
        <legend>{words.prices}</legend>
        <ul>
          {question.prices.map((name) => (
            <li key={name}>
              <button
                type="button"
                className="button small"
                aria-label={words.removePrice(name)}
                onClick={() => onQuestion(withPrices(question, name, choices))}
              >
                {name}
                <X size={13} aria-hidden />
              </button>
              <span className="muted small">{aboutPrice(name)}</span>
            </li>
          ))}
        </ul>
        <select
          className="field"
          aria-label={words.addPrice}
          value=""
          onChange={(event) => onQuestion(withPrices(question, event.target.value, choices))}
        >
          <option value="">{words.addPrice}</option>
          {choices.prices
            .filter((name) => !question.prices.includes(name))
            .map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
        </select>
      </fieldset>
      <div className="what-if-go">
        <button type="submit" className="button button-primary" disabled={!isReady || isBusy}>
          {words.compare}
        </button>
        {isReady ? null : <span className="muted small">{words.nothingChosen}</span>}
      </div>
    </form>
  )
}
