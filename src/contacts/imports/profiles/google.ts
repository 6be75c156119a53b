// The CSV of Google Contacts, of today and of before 2024. Lists are joined by ` ::: `, and nothing has an id.

import type { Profile, ProfileFile } from './declared.ts'

const common = {
  'E-mail 1 - Value': 'email',
  'Phone 1 - Value': 'phone',
  'Address 1 - City': 'city',
  'Address 1 - Region': 'region',
  'Address 1 - Country': 'country',
} as const

const file = (has: readonly string[], fields: ProfileFile['fields']): ProfileFile => ({
  noun: 'contact',
  has,
  fields: { ...fields, ...common },
})

export const google: Profile = {
  source: 'google',
  title: 'Google Contacts',
  files: [
    file(['First Name', 'Last Name', 'Labels', 'E-mail 1 - Value'], {
      'First Name': 'firstName',
      'Last Name': 'lastName',
      'Organization Name': 'companyName',
      'Organization Title': 'jobTitle',
      Labels: 'tags',
      Photo: 'avatarUrl',
    }),
    file(['Given Name', 'Family Name', 'Group Membership', 'E-mail 1 - Value'], {
      'Given Name': 'firstName',
      'Family Name': 'lastName',
      'Organization 1 - Name': 'companyName',
      'Organization 1 - Title': 'jobTitle',
      'Group Membership': 'tags',
      Photo: 'avatarUrl',
    }),
  ],
}
