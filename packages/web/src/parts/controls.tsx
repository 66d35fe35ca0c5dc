import { Check, ChevronLeft, ChevronRight, Copy, type LucideIcon } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { useLanguage } from './language.tsx'

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'primary' | 'danger' | 'quiet' | undefined
  readonly isSmall?: boolean
  readonly icon?: LucideIcon
  /** Default: 14 pixels in a small button, else 16. */
  readonly iconSize?: number
  readonly text?: string
}

/** A button: an icon, a text, and then its children. It submits a form only with `type="submit"`. */
export function Button({ look, isSmall = false, icon: Icon, iconSize, text, className, children, ...rest }: ButtonProps) {
  const classes = ['button', look && `button-${look}`, isSmall && 'small', className].filter(Boolean).join(' ')
  return (
    <button type="button" className={classes} {...rest}>
      {Icon === undefined ? null : <Icon size={iconSize ?? (isSmall ? 14 : 16)} aria-hidden />}
      {text}
      {children}
    </button>
  )
}

interface StepButtonsProps {
  readonly names: readonly [back: string, on: string]
  readonly place: number
  readonly last: number
  readonly onPlace: (place: number) => void
}

/** Two buttons that go one place back, or on. */
export function StepButtons({ names: [back, on], place, last, onPlace }: StepButtonsProps) {
  return (
    <>
      <Button look="quiet" icon={ChevronLeft} aria-label={back} disabled={place === 0} onClick={() => onPlace(place - 1)} />
      <Button look="quiet" icon={ChevronRight} aria-label={on} disabled={place >= last} onClick={() => onPlace(place + 1)} />
    </>
  )
}

/** Copies a text to the clipboard and shows whether that worked. */
export function CopyButton({ text }: { readonly text: string }) {
  const { conversation } = useLanguage()
  const [state, setState] = useState<'copy' | 'copied' | 'notCopied'>('copy')
  useEffect(() => {
    if (state === 'copy') return
    const timer = setTimeout(() => setState('copy'), 2000)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      setState('notCopied')
    }
  }
  const icon = state === 'copied' ? Check : Copy
  return (
    <Button look="quiet" isSmall className="copy-button" icon={icon} iconSize={13} onClick={() => void copy()}>
      <span role="status">{conversation[state]}</span>
    </Button>
  )
}

interface SelectProps<Value extends string> extends Omit<ComponentProps<'select'>, 'value' | 'onChange'> {
  readonly value: Value
  readonly options: readonly (readonly [value: Value, text: string])[]
  readonly onChoose: (value: Value) => void
}

/** One of several options. */
export function Select<Value extends string>({ value, options, onChoose, ...rest }: SelectProps<Value>) {
  return (
    <select {...rest} value={value} onChange={(event) => onChoose(event.target.value as Value)}>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  )
}

interface ChoiceProps<Value extends string> {
  readonly name: string
  /** Null for no choice, for which `none` is shown. */
  readonly value: Value | null
  readonly none: string
  readonly options: readonly (readonly [value: Value, text: string])[]
  readonly onChange: (value: Value | null) => void
  readonly classNames: readonly [label: string | undefined, field: string]
}

/** One of several options, or none. A value may be any text, so the page knows them by their places. */
export function Choice<Value extends string>({ name, value, none, options, onChange, classNames }: ChoiceProps<Value>) {
  return (
    <label className={classNames[0]}>
      <span className="muted small">{name}</span>
      <Select
        className={classNames[1]}
        value={`${options.findIndex(([option]) => option === value)}`}
        options={[['-1', none], ...options.map(([, text], index) => [`${index}`, text] as const)]}
        onChoose={(place) => onChange(options[Number(place)]?.[0] ?? null)}
      />
    </label>
  )
}

interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  readonly label: string
  readonly value: string
  readonly onSearch: (text: string) => void
}

/** A field to search in. */
export function SearchField({ label, onSearch, ...rest }: SearchFieldProps) {
  return (
    <input
      type="search"
      className="field"
      aria-label={label}
      placeholder={label}
      onChange={(event) => onSearch(event.target.value)}
      {...rest}
    />
  )
}

/** A form that the page itself handles. */
export function Form({ onSubmit, ...rest }: Omit<ComponentProps<'form'>, 'onSubmit'> & { readonly onSubmit: () => void }) {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    />
  )
}

interface WorkProgressProps {
  readonly text: string
  /** The share that is done. */
  readonly share: number
  readonly onCancel?: () => void
}

/** Shows how far long work is, with a button that stops it. */
export function WorkProgress({ text, share, onCancel }: WorkProgressProps) {
  const { whatIf, progress } = useLanguage()
  return (
    <span className="work-progress">
      <span role="status">{text}</span>
      <progress value={share} max={1} aria-label={text} />
      <span className="muted small" aria-hidden="true">
        {progress(share)}
      </span>
      {onCancel === undefined ? null : <Button isSmall onClick={onCancel} text={whatIf.cancel} />}
    </span>
  )
}

/** A sentence whose commands are between backticks. */
export function Sentence({ text }: { readonly text: string }) {
  const pieces = text.split('`')
  return pieces.length % 2 === 0
    ? text
    : pieces.map((piece, index) => (index % 2 === 0 ? piece : <code key={index}>{piece}</code>))
}

/** Marks of one text; more would make a long one slow. */
const maxMarks = 500

/** A text with the places marked that contain something searched for. */
export function Marked({ text, finds }: { readonly text: string; readonly finds: readonly string[] }) {
  const pieces: ReactNode[] = []
  const lower = text.toLowerCase()
  const wanted = finds.map((find) => find.toLowerCase()).filter((find) => find !== '')
  // Some letters are longer in lower case; then places would not fit.
  if (lower.length !== text.length) return text
  let from = 0
  while (pieces.length < maxMarks * 2) {
    const [at, length] = nextPlace(lower, wanted, from)
    if (length === 0) break
    pieces.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + length)}</mark>)
    from = at + length
  }
  return [...pieces, text.slice(from)]
}

/** The first of the texts from a place on, the longest if several start there; a length of 0 if there is none. */
function nextPlace(text: string, wanted: readonly string[], from: number): readonly [at: number, length: number] {
  let best: readonly [number, number] = [text.length, 0]
  for (const one of wanted) {
    const at = text.indexOf(one, from)
    if (at >= 0 && (at < best[0] || (at === best[0] && one.length > best[1]))) best = [at, one.length]
  }
  return best
}

/** The heads of a table's columns. */
export function ColumnHeads({ heads }: { readonly heads: readonly (readonly [text: string, className?: string])[] }) {
  return heads.map(([text, className], index) => (
    <th key={index} scope="col" className={className}>
      {text}
    </th>
  ))
}
