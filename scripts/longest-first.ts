import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take long although they are short: begun last, they would run on alone while all other cores wait. */
const long =
  /\/(?:accessibility|languages|inspector|packed-install|rebuild-request\.properties|[a-z-]+-session\.properties|view\.properties)(?:\.slow)?\.test\.ts$/

/** An order of test files, also for a machine that has never run them: those that are known to take long, then by their size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = (file: TestSpecification) => long.test(file.moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
