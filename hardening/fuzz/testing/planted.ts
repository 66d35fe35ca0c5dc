import { holds, type Target } from '../target.ts'
import { plantedParser } from './planted-parser.ts'

/** A target that has a bug, to show that bugs are found. */
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
