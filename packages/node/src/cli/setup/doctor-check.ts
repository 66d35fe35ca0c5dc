/** What somebody looked at, and what came of it. */
export interface DoctorCheck {
  /** A stable name, for programs. */
  readonly name: string
  readonly state: 'ok' | 'problem' | 'note'
  readonly text: string
  /** What to do; null where nothing is to be done. */
  readonly advice: string | null
}

/** Something that is as it should be. */
export function well(name: string, text: string): DoctorCheck {
  return { name, state: 'ok', text, advice: null }
}

/** Something that is wrong, and what to do. */
export function wrong(name: string, text: string, advice: string): DoctorCheck {
  return { name, state: 'problem', text, advice }
}

/** Something that is worth knowing. */
export function note(name: string, text: string, advice: string | null = null): DoctorCheck {
  return { name, state: 'note', text, advice }
}
