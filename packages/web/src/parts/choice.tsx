interface ChoiceProps<Value extends string> {
  readonly name: string
  /** Null for no choice, for which `none` is shown. */
  readonly value: Value | null
  readonly none: string
  readonly options: readonly (readonly [value: Value, text: string])[]
  readonly onChange: (value: Value | null) => void
  /** Of the label, and of the field in it. */
  readonly classNames: readonly [label: string | undefined, field: string]
}

/** One of several options, or none. A value may be any text, so the page knows them by their places. */
export function Choice<Value extends string>({ name, value, none, options, onChange, classNames }: ChoiceProps<Value>) {
  return (
    <label className={classNames[0]}>
      <span className="muted small">{name}</span>
      <select
        className={classNames[1]}
        value={options.findIndex(([option]) => option === value)}
        onChange={(event) => onChange(options[Number(event.target.value)]?.[0] ?? null)}
      >
        <option value={-1}>{none}</option>
        {options.map(([option, text], index) => (
          <option key={option} value={index}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
