/** Repeats a question until its answer is not null, undefined or false, and resolves with that. */
export async function waitFor<Value>(question: () => Value | undefined | null | false): Promise<Value> {
  for (;;) {
    const answer = question()
    if (answer !== undefined && answer !== null && answer !== false) return answer
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Resolves when a number has not changed for a quarter of a second. */
export async function waitUntilStill(number: () => number): Promise<void> {
  let before = Number.NaN
  let times = 0
  await waitFor(() => {
    const now = number()
    times = now === before ? times + 1 : 0
    before = now
    return times >= 50
  })
}
