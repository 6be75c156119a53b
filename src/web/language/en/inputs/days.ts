// Words of the inputs that filter a list by days.

import { room } from '../../language.ts'

export const dayWords = room('days', {
  from: (field: string) => `${field} from`,
  to: (field: string) => `${field} until`,
  help: 'Days begin at midnight in Greenwich, so that a link shows everybody the same rows.',
  incomplete: 'Complete the date, or clear it',
  year: 'Write the year with four digits',
})
