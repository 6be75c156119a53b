// Words of the settings of custom fields.

import type { CustomFieldType } from '../../../generated/schema.ts'
import { room } from '../../language.ts'

export const customFieldWords = room('customFields', {
  deleteLoses: 'Its values are deleted from all contacts. That cannot be undone.',
  deleteField: 'Delete field',
  signUp: 'Sign up to add fields',
  new: 'New field',
  title: 'Custom fields',
  sentence: 'Fields that your organization adds to its contacts.',
  empty: 'Such as a contract number, or the date of a renewal.',
  delete: 'Delete',
  newTitle: 'New custom field',
  nameNeeded: 'Enter a name',
  keyProblem: 'A lower case letter, then letters, digits and underscores: renewal_date',
  optionNeeded: 'Enter at least one',
  create: 'Create field',
  name: 'Name',
  key: 'Key',
  keyHelp: 'Its name in the API, which never changes',
  holds: 'Holds',
  choices: 'Choices',
  choicesHelp: 'Enter after each',
  types: {
    TEXT: 'Text',
    NUMBER: 'Number',
    BOOLEAN: 'Yes or no',
    DATE: 'Date',
    SELECT: 'One of a list',
    MULTI_SELECT: 'Several of a list',
    URL: 'Link',
  } satisfies Record<CustomFieldType, string>,
  deleteQuestion: (label: string) => `Delete the field "${label}"?`,
  deleteLabel: (label: string) => `Delete the field ${label}`,
  apiName: (label: string) => `the name of ${label} in the API`,
  andMore: (names: string, count: number) => `${names} and ${count} more`,
})
