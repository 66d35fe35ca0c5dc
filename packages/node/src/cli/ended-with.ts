/** Ends this program with the code of another one, without a word: that one has said everything. */
export class EndedWith extends Error {
  override readonly name = 'EndedWith'
  readonly exitCode: number

  constructor(exitCode: number) {
    super(`ended with ${exitCode}`)
    this.exitCode = exitCode
  }
}
