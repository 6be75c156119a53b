// Words of the notices of changes of many records.

import { room } from '../../language.ts'

export const bulkWords = room('contactBulk', {
  starting: 'Starting',
  undo: 'Undo',
  done: {
    CREATE_TASKS: (contacts: string) => `Task added to ${contacts}`,
    DELETE: (contacts: string) => `${contacts} deleted`,
    ENRICH: (contacts: string) => `${contacts} queued for enrichment`,
    MOVE: (deals: string) => `${deals} moved`,
    RESTORE: (contacts: string) => `${contacts} restored`,
    UPDATE: (contacts: string) => `${contacts} changed`,
  },
  undoings: {
    CREATE_TASKS: (contacts: string) => `Task removed from ${contacts}`,
    DELETE: (contacts: string) => `${contacts} restored`,
    MOVE: (deals: string) => `${deals} moved back`,
    RESTORE: (contacts: string) => `${contacts} deleted again`,
    UPDATE: (contacts: string) => `${contacts} changed back`,
  },
  doing: {
    CREATE_TASKS: (contacts: string) => `Adding the task to ${contacts}`,
    DELETE: (contacts: string) => `Deleting ${contacts}`,
    ENRICH: (contacts: string) => `Queueing ${contacts} for enrichment`,
    MOVE: (deals: string) => `Moving ${deals}`,
    RESTORE: (contacts: string) => `Restoring ${contacts}`,
    UNDO: (contacts: string) => `Undoing the change of ${contacts}`,
    UPDATE: (contacts: string) => `Changing ${contacts}`,
  },
  failed: (count: string) => `, ${count} could not be`,
  stopped: (reason: string, sentence: string) => `It stopped: ${reason}. ${sentence}.`,
  noReason: 'the server gave no reason',
  addressTaken: 'stays deleted, because another contact has its email',
  domainTaken: 'stays deleted, because another company has its domain',
  companyMerged: 'was merged into another company. Undo the merge to restore it',
  merged: 'was merged into another contact. Undo the merge to restore it',
  notChanged: (reason: string) => `could not be changed: ${reason}`,
  showThatOne: 'show that one',
  more: (count: string) => `and ${count} more`,
  notStarted: 'The contacts were not changed',
  nothingChanged: 'Nothing was changed',
  move: 'Move',
  moveVerb: (deals: string) => `Move ${deals} to a stage`,
})
