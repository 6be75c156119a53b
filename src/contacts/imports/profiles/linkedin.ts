// The connections of LinkedIn: three lines of notes stand above the headers, and most rows have no address. The page of a person is their id.

import type { Profile } from './declared.ts'

export const linkedin: Profile = {
  source: 'linkedin',
  title: 'LinkedIn',
  files: [
    {
      noun: 'contact',
      has: ['First Name', 'Last Name', 'URL', 'Connected On'],
      fields: {
        'First Name': 'firstName',
        'Last Name': 'lastName',
        URL: 'linkedinUrl',
        'Email Address': 'email',
        Company: 'companyName',
        Position: 'jobTitle',
      },
    },
  ],
}
