// Ids of Salesforce: it writes 15 characters in some files, and 18 in others, for the same record. Pure.

/** The id of 18 characters for one of 15. */
export const longId = (id: string): string => id + checksumOf(id)

// Each character stands for the upper case letters among five.
const checksumOf = (id: string) =>
  [0, 5, 10]
    .map(from => [...id.slice(from, from + 5)].reduce((sum, letter, place) => sum + (/[A-Z]/.test(letter) ? 2 ** place : 0), 0))
    .map(sum => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345'[sum])
    .join('')
