// The CSV of Outlook, in Windows-1252. Nothing has an id.

import type { Profile } from './declared.ts'

export const outlook: Profile = {
  source: 'outlook',
  title: 'Outlook',
  files: [
    {
      noun: 'contact',
      has: ['First Name', 'Last Name', 'E-mail Address', 'Business Phone'],
      fields: {
        'First Name': 'firstName',
        'Last Name': 'lastName',
        'E-mail Address': 'email',
        'Business Phone': 'phone',
        'Mobile Phone': 'phone',
        'Home Phone': 'phone',
        Company: 'companyName',
        'Job Title': 'jobTitle',
        'Business City': 'city',
        'Business State': 'region',
        'Business Country/Region': 'country',
        Categories: 'tags',
      },
    },
  ],
}
