// The root fields of duplicates and merges of each noun, with the callers that they admit.

const id = '019a0000-0000-7000-8000-000000000000'
const other = '019a0000-0000-7000-8000-000000000001'

const names = {
  contact: ['findDuplicates', 'duplicatesOf', 'dismissDuplicate', 'mergePreview', 'mergeContacts', 'undoMerge'],
  company: [
    ...['findCompanyDuplicates', 'companyDuplicatesOf', 'dismissCompanyDuplicate'],
    ...['companyMergePreview', 'mergeCompanies', 'undoCompanyMerge'],
  ],
}

export const mergeRows = <Caller>(mayRead: readonly Caller[], mayWrite: readonly Caller[]): Record<string, [string, readonly Caller[]]> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([noun, [list, of, dismiss, preview, merge, undo]]): [string, [string, readonly Caller[]]][] => [
      [`Query.${list}`, [`{ ${list} { nodes { score } } }`, mayRead]],
      [`Query.${of}`, [`{ ${of}(${noun}Id: "${id}") { nodes { score } } }`, mayRead]],
      [`Mutation.${dismiss}`, [`mutation { ${dismiss}(input: { ${noun}Id: "${id}", otherId: "${other}" }) { id } }`, mayWrite]],
      [`Query.${preview}`, [`{ ${preview}(winnerId: "${id}", loserId: "${other}") { fields { field } } }`, mayRead]],
      [`Mutation.${merge}`, [`mutation { ${merge}(input: { winnerId: "${id}", loserId: "${other}" }) { mergeId } }`, mayWrite]],
      [`Mutation.${undo}`, [`mutation { ${undo}(input: { mergeId: "${id}" }) { mergeId } }`, mayWrite]],
    ]),
  )

/** The fields for records of any noun, which only tools have. */
export const mergesOfTools: Record<string, string> = {
  'Query.recordDuplicates': '{ recordDuplicates(noun: CONTACT) { nodes { __typename } } }',
  'Query.recordMergePreview': `{ recordMergePreview(noun: CONTACT, winnerId: "${id}", loserId: "${other}") { fields { field } } }`,
  'Mutation.mergeRecords': `mutation { mergeRecords(input: { noun: CONTACT, winnerId: "${id}", loserId: "${other}" }) { __typename } }`,
  'Mutation.undoMergeOfRecords': `mutation { undoMergeOfRecords(input: { mergeId: "${id}" }) { __typename } }`,
  'Mutation.dismissDuplicateOfRecord': `mutation { dismissDuplicateOfRecord(input: { contactId: "${id}", otherId: "${other}" }) { __typename } }`,
}
