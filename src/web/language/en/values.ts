// Words for values of any kind, the nouns that are counted, and the names of fields.

import { room } from '../language.ts'

export const valueWords = room('values', { yes: 'Yes', no: 'No', empty: 'Empty', none: 'None', others: 'Others' })

export const nounWords = room('nouns', {
  contact: { one: 'contact', other: 'contacts' },
  call: { one: 'call', other: 'calls' },
  placedCall: { one: 'placed call', other: 'placed calls' },
  task: { one: 'task', other: 'tasks' },
  suggestion: { one: 'suggestion', other: 'suggestions' },
  run: { one: 'run', other: 'runs' },
  agent: { one: 'voice agent', other: 'voice agents' },
  pair: { one: 'pair', other: 'pairs' },
  import: { one: 'import', other: 'imports' },
  credit: { one: 'credit', other: 'credits' },
  day: { one: 'day', other: 'days' },
  event: { one: 'event', other: 'events' },
  delivery: { one: 'delivery', other: 'deliveries' },
  providerMessage: { one: 'message from the phone provider', other: 'messages from the phone provider' },
  step: { one: 'step', other: 'steps' },
  moreField: { one: 'more field', other: 'more fields' },
})

/** The names of fields, as columns, forms, filters, histories and suggestions show them. */
export const fieldWords = room('fields', {
  // Of contacts.
  firstName: 'First name',
  lastName: 'Last name',
  fullName: 'Full name',
  email: 'Email',
  phone: 'Phone',
  companyName: 'Company',
  companyDomain: 'Company website',
  jobTitle: 'Job title',
  lifecycleStage: 'Stage',
  ownerUserId: 'Owner',
  tags: 'Tags',
  doNotCall: 'Do not call',
  city: 'City',
  region: 'Region',
  country: 'Country',
  timezone: 'Time zone',
  linkedinUrl: 'LinkedIn',
  avatarUrl: 'Picture',
  externalId: 'External ID',
  source: 'Source',
  lastContactedAt: 'Last contacted',
  updatedAt: 'Changed',
  createdAt: 'Added',
  // Of companies and other targets of enrichment.
  name: 'Name',
  description: 'Description',
  logoUrl: 'Logo',
  twitterUrl: 'X (Twitter)',
  facebookUrl: 'Facebook',
  instagramUrl: 'Instagram',
  githubUrl: 'GitHub',
  youtubeUrl: 'YouTube',
  // Of tasks, notes and calls.
  title: 'Title',
  text: 'Text',
  status: 'Status',
  outcome: 'Outcome',
  dueAt: 'Due',
  remindAt: 'Reminder',
  assigneeUserId: 'Assigned to',
  pinned: 'Pinned',
  answeredAt: 'Answered',
  answeredBy: 'Answered by',
  endedAt: 'Ended',
  endedReason: 'Reason',
  summary: 'Summary',
  durationSeconds: 'Duration',
})
