import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Short files that take long: started last, they would run alone while all other cores wait. */
const long =
  /\/(?:accessibility|hostile|inspector|one-door|packed-install|rebuild-request\.properties|[a-z-]+-session\.properties|view\.properties|walks)(?:\.slow)?\.test\.ts$/

/** Orders test files without knowledge of earlier runs: those known to take long, then by size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = (file: TestSpecification) => long.test(file.moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
