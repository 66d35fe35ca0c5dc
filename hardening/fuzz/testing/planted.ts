import { holds, type Target } from '../target.ts'
import { plantedParser } from './planted-parser.ts'

/** A target with a deliberate bug, to show that the fuzzer finds bugs. */
export const plantedTarget: Target = {
  name: 'planted',
  form: 'text',
  choices: 0,
  longest: 400,
  covers: ['hardening/fuzz/testing/planted-parser.ts'],
  seeds: () => ['colour=red;size=4', 'mode=unload;'],
  check({ text }) {
    holds(plantedParser(text).size <= text.split(';').length, 'has no more pairs than were written')
  },
}
