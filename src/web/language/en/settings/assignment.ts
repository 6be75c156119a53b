// Words of the settings of assignment: who becomes the owner of new contacts.

import type { AssignmentKind } from '../../../generated/schema.ts'
import { room } from '../../language.ts'

export const assignmentWords = room('assignment', {
  title: 'Owners of new contacts',
  sentence:
    'A contact that is added without an owner gets one by this rule: by hand, by import, by a form or by another program. Contacts that exist already keep their owner.',
  kinds: {
    NONE: 'Nobody',
    ROUND_ROBIN: 'In turn',
    BY_COUNTRY: 'By country',
    BY_SOURCE: 'By source',
  } satisfies Record<AssignmentKind, string>,
  means: {
    NONE: 'New contacts have no owner until somebody chooses one.',
    ROUND_ROBIN: 'Each new contact goes to the next of these members.',
    BY_COUNTRY: 'The country of the contact decides.',
    BY_SOURCE: 'The way in which the contact was added decides.',
  } satisfies Record<AssignmentKind, string>,
  members: 'Members',
  others: 'All other contacts',
  othersHelp: 'They go to these members in turn. Leave it empty for no owner.',
  countries: 'Countries',
  sources: 'Sources',
  owner: 'Owner',
  addCountries: 'Add countries',
  addSources: 'Add sources',
  remove: 'Remove this line',
  save: 'Save rule',
  saved: 'The rule is saved',
  onlyAdmins: 'Owners and admins can change it.',
  choose: 'Choose at least one member',
  complete: 'Complete each line, or remove it',
  left: 'Members who leave are skipped.',
})
