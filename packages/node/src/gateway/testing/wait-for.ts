/** Resolves with what a question gives as soon as that is something; asks again while it is not. */
export async function waitFor<Value>(question: () => Value | undefined | null | false): Promise<Value> {
  for (;;) {
    const answer = question()
    if (answer !== undefined && answer !== null && answer !== false) return answer
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
