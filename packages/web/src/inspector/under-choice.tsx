import { useId } from 'react'
import { useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'
import { useLoaded } from '../parts/use-loaded.ts'
import type { InspectorSource } from './source/inspector-source.ts'
import { usualChoices } from './what-if/what-if-question.ts'
import './under.css'

/** What the choice is told. */
export interface UnderChoiceProps {
  readonly source: InspectorSource
  /** The policy set that is chosen; null for the session as it was recorded. */
  readonly under: string | null
  readonly onUnder: (policies: string | null) => void
  /** Whether what was chosen is not there yet. */
  readonly isWorking: boolean
}

/** Chooses whether a session is shown as it was recorded, or as if a policy set had been in force. */
export function UnderChoice({ source, under, onUnder, isWorking }: UnderChoiceProps) {
  const { strings } = useLanguage()
  const words = strings.inspector.under
  const id = useId()
  const [loaded] = useLoaded(async (signal) => (await source.whatIfChoices?.(signal))?.under ?? [], [source])
  const known = loaded.state === 'there' ? loaded.value : []
  // What an address names is shown before it is known which there are.
  const all = under === null || known.includes(under) ? known : [...known, under]
  if (all.length === 0) return null
  const ours = all.filter((name) => usualChoices.policies.includes(name))
  const others = all.filter((name) => !usualChoices.policies.includes(name))
  const option = (name: string) => (
    <option key={name} value={name}>
      {words.set(visibleLine(name, 60))}
    </option>
  )
  return (
    <span className="under-choice">
      <label htmlFor={id}>{words.label}</label>
      <select
        id={id}
        className="field"
        value={under ?? ''}
        onChange={(event) => onUnder(event.target.value === '' ? null : event.target.value)}
      >
        <option value="">{words.recorded}</option>
        {ours.map(option)}
        {others.length === 0 ? null : <optgroup label={words.others}>{others.map(option)}</optgroup>}
      </select>
      <span role="status" className="muted small">
        {!isWorking ? '' : under === null ? strings.inspector.loading : words.working(visibleLine(under, 60))}
      </span>
    </span>
  )
}
